"""The SDK of OpenAI, loaded by a nursery before its first child is born."""

import openai

PATCHES = ()
LOADED = openai.OpenAI
