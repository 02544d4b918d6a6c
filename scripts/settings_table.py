"""Prints the README's table of settings, or with --env the file .env.example; tests compare both with the program."""

from __future__ import annotations

import sys
from dataclasses import Field

from agent.settings import documented


def shown(spec: Field[object]) -> str:
    """A default as a user would write it."""
    default = spec.default
    if spec.name == "no_color":
        return ""  # any value that is not empty means yes
    if isinstance(default, bool):
        return "off" if not default else "on"
    if isinstance(default, tuple):
        return ",".join(default)
    return f"{default:g}" if isinstance(default, float) else str(default or "")


def table() -> str:
    """All settings as a Markdown table."""
    rows = ["| flag | variable | default | what it sets |", "|---|---|---|---|"]
    for spec in documented():
        flag, env = (f"`{name}`" if name else "" for name in (spec.metadata["flag"], spec.metadata["env"]))
        default = f"`{shown(spec)}`" if shown(spec) else ""
        rows.append(f"| {flag} | {env} | {default} | {spec.metadata['about']} |")
    return "\n".join(rows)


def env_example() -> str:
    """All variables, commented out, with their defaults."""
    lines = [
        "# Copy to .env, here or in ~/.config/scout, and uncomment what you need. Flags win over the environment,",
        "# which wins over this file.",
    ]
    for spec in documented():
        if spec.metadata["env"] and not spec.metadata["env"].startswith("XDG_"):
            lines += ["", f"# {spec.metadata['about']}", f"# {spec.metadata['env']}={shown(spec)}"]
    return "\n".join(lines)


if __name__ == "__main__":
    print(env_example() if "--env" in sys.argv else table())
