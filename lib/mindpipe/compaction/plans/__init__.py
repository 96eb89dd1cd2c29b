"""A plan: made from what is sent, written as lines, shown, checked and put in force."""
