"""A life that was lived at home, and machines of which the day, the words and the order differ."""

LIFE = """
cat >answer <<'END'
#!/bin/sh
end=$(tail -c 4000)
case "${end##*'"role":"'}" in
tool*) echo '{"text":"Green, I noted it."}' ;;
*) echo '{"tool_calls":[{"name":"set_memory","arguments":{"key":"İstanbul","value":"ılık"}}]}' ;;
esac
END
chmod 700 answer
mind init
mind agent new ava --model program:./answer --instructions 'Du hilfst im Café in İzmir.'
mind plan add --agent ava 'Daily report' --cron '0 9 * * *' --zone Europe/Berlin
for style in continuous timeline; do
  mind agent set ava --style $style
  for said in 'I live in İstanbul. My tea is ılık.' 'Ich wohne in Bremen, naïve as I am.'; do
    mind inbox push --agent ava --text "$said"
    mind think --agent ava
  done
  mind consolidate --agent ava || test $? = 3
done
export MIND_INBOX_LEASE_SECONDS=0.1
for point in claim.after_commit record.after_commit store_tool.before_commit turn.before_commit; do
  mind inbox push --agent ava --text "Again, after $point."
  (MIND_TESTING=1 MIND_FAIL=$point:kill mind think --agent ava) && exit 1
  until mind think --agent ava; do :; done
done
mind plan due --push --now 2027-01-01T12:00:00Z || true
mind think --agent ava --now 2027-01-01T12:00:00Z || true
mind life export ava --output ava.life
"""
"""What lives it, and writes it as ava.life.

Both styles, a zone, letters that locales treat, and processes that are killed, each followed by one
that goes on.
"""

ELSEWHERE = (
    {"TZ": "UTC", "LC_ALL": "C"},
    {"TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"},
    {"TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8", "PYTHONHASHSEED": "7"},
)
"""Variables of other machines; a locale that is not installed is the plain one."""
