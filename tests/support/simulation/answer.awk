# The model of a simulated agent. For each mark in what it was told since it spoke last, it says
# once that it read it.
BEGIN { RS = "\001" }
{
    rest = $0
    while ((found = index(rest, "\"role\":\"assistant\"")) > 0) rest = substr(rest, found + 1)
    # What it said itself stands before the next message.
    if (rest != $0) rest = substr(rest, index(rest, "\"role\":\"") + 1)
    # Old cycles that come back, and what is remembered, were read before.
    if (match(rest, /EARLIER CYCLES|(EPISODES|FACTS|LESSONS) \(remembered/)) rest = substr(rest, 1, RSTART)
    calls = ""
    while (match(rest, /#e[0-9]+#/)) {
        mark = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (mark in seen) continue
        seen[mark] = 1
        calls = calls (calls == "" ? "" : ",") \
            "{\"name\":\"send_message\",\"arguments\":{\"space\":\"log\",\"text\":\"read " mark "\"}}"
    }
    if (calls == "") print "{\"text\":\"Done.\"}"
    else print "{\"tool_calls\":[" calls "]}"
}
