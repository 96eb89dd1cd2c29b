rm -f q.db*; mind init --store q.db 2>/dev/null; mind agent new a --store q.db --name A --model program:./answer >/dev/null
printf '%s\n' "$@" | mind chat --agent a --store q.db >/dev/null 2>&1
mind consolidate --agent a --store q.db >/dev/null 2>&1
mind observation list --agent a --store q.db --json | python -c "
import sys,json
for l in sys.stdin:
    o=json.loads(l); print('   ',o['status'],o.get('contested'),o['summary'])"
