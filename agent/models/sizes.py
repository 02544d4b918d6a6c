"""How large a model is, from what its name or its server says."""

from __future__ import annotations

import re

# "qwen2.5:3b", "smollm2-135m", "mixtral-8x7b", "1.5B"; not the "4b" in "q4b0" and not the "3" in "phi3".
_SIZE = re.compile(r"(?<![a-z0-9.])(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)([bm])(?![a-z0-9])")


def size_b(text: str) -> float:
    """Parameters in billions, 0.0 where the text does not say. A mixture counts all of its experts."""
    found = _SIZE.search(text.lower())
    if not found:
        return 0.0
    experts, number, unit = found.groups()
    return round(int(experts or 1) * float(number) / (1000 if unit == "m" else 1), 4)
