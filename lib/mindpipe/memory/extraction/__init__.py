"""What is kept of what was said: each passage with its labels and with the words that it quotes.

What a person, the operator or a program says in one line is one item; of a longer line it is a few
sentences each. Nothing is left out but code, tables, quoted mail, and what only asks: what no
reader understands is an item without labels, which recall finds, and its significance tells how
much it matters.

Its labels are those of the statements that the strict reader finds in it:

| tag | the passage |
|---|---|
| `residence`, `taste`, `job` … | claims this attribute; `denied`, `ended`: or that it is not so |
| `relation:sister` | tells how two entities stand to each other |
| `planned`, `hedged`, `reported` … | has a statement that is meant so, and claims nothing |
| `date:2023-05-08` | names a day, month (`date:2023-05`), year or `date:FIRST/LAST` |

`kind` is semantic where it claims something, else episodic, and its `at` then the one past day that
it names. `subject` is whom its claims are of, else the speaker in the first person, else the name
that it begins with.
"""
