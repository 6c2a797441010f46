"""Questions about a store: each is a function of a store that returns a ``pyarrow.Table``.

name -> the model or benchmark it means   ``name_lookup``
query -> table                            ``query``
what users ask                            one module a question or several
"""
