"""What a model is asked: one file a question, each a pure function from its question to a ``Prompt``.

A prompt's ``VERSION`` is stored with everything it produced. Change it whenever the wording changes.
"""
