"""The program as a whole, when all goes well: a question goes in on the command line, a checked answer comes out."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from tests.program import ANSWERS, NOT_FOUND, PAGE, QUESTION, SEARCHES, SENTENCE, Program, command
from tests.scripted import act
from tests.scriptedserver import reading
from tests.site import Reply

KEYS = {
    "": "schema run question status answer claims sources conflicts found usage model egress note",
    "claims": "text verdict reason quotes",
    "sources": "id url title published retrieved sha256",
    "usage": "steps requests bytes prompt_tokens output_tokens seconds model_seconds cost_usd",
    "egress": "host requests bytes",
}


def keys(document: dict[str, Any], part: str) -> str:
    found = document[part] if part else document
    return " ".join(found[0] if isinstance(found, list) else found)


def test_an_answer_cites_the_page_quotes_it_and_leaves_stderr_alone(program: Program) -> None:
    ran = program.run(QUESTION)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == f"{SENTENCE} [1]"
    assert f"[1] Tern Bridge — {program.web.url('/tern')}" in ran.out
    assert program.web.hits == ["/search", "/tern"]


def test_the_document_has_the_keys_of_the_contract_and_quotes_what_stands_on_the_page(program: Program) -> None:
    ran = program.run("--json", "-q", QUESTION)
    document = ran.json
    assert (ran.status, ran.err, document["status"], document["note"]) == (0, "", "supported", "")
    assert all(keys(document, part) == names for part, names in KEYS.items())
    quotes = [quote for claim in document["claims"] for quote in claim["quotes"]]
    assert quotes == [{"source": 1, "text": SENTENCE}]
    assert SENTENCE in PAGE
    assert document["usage"] | {"seconds": 0, "model_seconds": 0} == {
        "steps": 3,
        "requests": 2,
        "bytes": sum(host["bytes"] for host in document["egress"]),
        "prompt_tokens": 300,
        "output_tokens": 30,
        "seconds": 0,
        "model_seconds": 0,
        "cost_usd": 0.0,
    }


def test_events_come_in_order_the_document_last_and_the_journal_and_the_trace_have_the_same(program: Program) -> None:
    ran = program.run("--jsonl", QUESTION)
    events = [json.loads(line) for line in ran.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [events[0]["kind"], events[-1]["kind"]] == ["run", "outcome"]
    assert {"plan", "execute", "request", "response", "observe", "reflect"} < {event["kind"] for event in events}
    kinds = program.recorded("SELECT kind FROM events ORDER BY seq")
    assert [kind for (kind,) in kinds] == [event["kind"] for event in events]
    assert program.outcome["answer"] == events[-1]["answer"]
    traced = program.run("trace").out
    assert f"run {events[0]['run']}" in traced
    assert "supported: 3 steps, 2 requests" in traced
    assert program.run("trace", "list").out.count(QUESTION) == 1


def test_a_question_may_come_in_on_a_pipe(program: Program) -> None:
    ran = program.run("--json", stdin=f"\ufeff{QUESTION}\r\n".encode())
    assert (ran.status, ran.json["question"]) == (0, QUESTION)


def test_text_piped_in_next_to_a_question_is_a_page_to_quote(program: Program) -> None:
    program.model.says(ANSWERS[-1])
    ran = program.run("--json", QUESTION, stdin=f"Notes of a walk. {SENTENCE} It rained.".encode())
    assert ran.status == 0
    assert [source["url"] for source in ran.json["sources"]] == ["stdin:"]
    assert ran.json["claims"][0]["quotes"] == [{"source": 1, "text": SENTENCE}]
    assert program.web.hits == []


def test_a_reader_that_takes_one_line_is_no_error(program: Program) -> None:
    line = f"{' '.join(command(QUESTION.rstrip('?').replace(' ', '_')))} </dev/null | head -1; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", line], env=program.environment(), capture_output=True, timeout=60)
    assert (ran.stdout.decode(), ran.stderr) == (f"{SENTENCE} [1]\n0\n", b"")


def test_verbose_tells_each_event_in_one_line_and_quiet_nothing(program: Program) -> None:
    loud = program.run("-v", QUESTION).err.splitlines()
    assert (loud[0].split()[0], loud[-1].split()[0]) == ("run", "outcome")
    assert program.run("-q", QUESTION).err == ""


def test_an_answer_that_does_not_stand_goes_back_once_and_is_then_marked(program: Program) -> None:
    program.model.says(SEARCHES, reading, act("answer", content="The Tern Bridge is 977 metres long."))
    ran = program.run("--json", QUESTION)
    assert (ran.status, ran.json["status"], len(program.model.asked)) == (3, "unsupported", 4)
    assert ran.json["claims"][0]["verdict"] in ("unsupported", "contradicted")
    assert "977" in ran.json["claims"][0]["text"]


def test_to_find_nothing_is_a_result_of_its_own(program: Program) -> None:
    program.model.says(SEARCHES, reading, NOT_FOUND)
    ran = program.run(QUESTION)
    assert ran.status == 4
    assert ran.out.splitlines()[0] == "no page read answers the question"
    assert "Also read:" in ran.out


def test_without_a_model_the_best_sentence_is_quoted(program: Program) -> None:
    ran = program.run("--model", "none", QUESTION)
    assert (ran.status, ran.out.splitlines()[0]) == (0, f"{SENTENCE} [1]")
    assert program.model.asked == []


def test_a_small_model_is_led_and_its_pages_are_read_by_a_prompt_of_their_own(program: Program) -> None:
    program.model.reads = SENTENCE
    ran = program.run("--guide", "steps", QUESTION)
    assert (ran.status, ran.out.splitlines()[0]) == (0, f"{SENTENCE} [1]")


def test_two_requests_are_enough_for_a_search_and_a_page(program: Program) -> None:
    assert (program.run("--max-requests", "2", QUESTION).status, program.web.hits) == (0, ["/search", "/tern"])


def test_a_result_off_the_whitelist_is_hidden_counted_and_named_on_stderr(program: Program) -> None:
    found = [{"title": "Tern", "url": url} for url in (program.web.url("/tern"), "https://tern.example/a")]
    program.web.add("/search", Reply(json.dumps({"results": found}), type="application/json"))
    ran = program.run(QUESTION)
    assert (ran.status, ran.err) == (0, "scout: 1 result hidden: tern.example; --allow to admit\n")
