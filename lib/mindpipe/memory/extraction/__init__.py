"""Rules that read what was said and say what of it is worth keeping, each item with its span.

A sentence of a person, of the operator or of a program gives at most one item, whose text is the
sentence. Its `tags` say what it states, by what CONSOLIDATION and recall may go:

| tag | the sentence |
|---|---|
| `preference` | says what the speaker likes, prefers or wants done; `negative`: or does not |
| `instruction` | tells the mind how to do something from now on; it is a preference too |
| `decision` | says what was decided, chosen, agreed |
| `promise` | commits the speaker to doing something |
| `plan` | says what the speaker means or hopes to do |
| `state` | says how something is; with one or more of the following |
| `residence` `job` `health` `age` | of a person |
| `version` `metric` `deadline` `count` `status` | of a thing, project or tool |
| `experience` | what the speaker has or (`negative`) has never done |
| `fact` | says of somebody or something with a name what it is, or where the speaker is reached |
| `relation` | how two entities stand to each other; the type is a tag `relation:sister` |
| `event` | tells what happened; `at` is then when |
| `lesson` | says what to do when, or what was learnt |
| `correction` | takes back or changes what was said before |
| `negative` | with `preference`, `experience` and `state`: it is denied |
| `date:2023-05-08` | a day, month (`date:2023-05`), year or `date:FIRST/LAST` that it names |

`kind` is episodic for events, decisions, promises and plans, procedural for lessons, else semantic.
`subject` is the speaker of a sentence in the first person, else what the sentence begins with.
"""
