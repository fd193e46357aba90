"""OpenAI's own client from PyPI against the gateway. Prints a line for each check, and stops at the first that fails.

The lines `log <id> <status>` and `gave up` tell the Rust test that runs this script what must be on record.
"""

import asyncio
import faulthandler
import json
import sys

import openai
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

BASE_URL, KEYED_URL, KEY = sys.argv[1:]
faulthandler.dump_traceback_later(120, exit=True)

# For checks in which each attempt counts.
client = OpenAI(base_url=BASE_URL, api_key="unused", max_retries=0)

GREETING = 'Grüße aus 東京 🦀, "alles" ist gut.\nWirklich.'
MODELS = ["fake-large", "strict-1"]


class Weather(BaseModel):
    city: str
    days: int


def ask(content, **more):
    return {"model": "fake-large", "messages": [{"role": "user", "content": content}], **more}


def create(content, **more):
    return client.chat.completions.create(**ask(content, **more))


def create_raw(content, **more):
    return client.chat.completions.with_raw_response.create(**ask(content, **more))


def note(headers, status):
    print(f"log {headers['x-countersign-log-id']} {status}")


def text(chunks, index=0):
    choices = [choice for chunk in chunks for choice in chunk.choices]
    return "".join(choice.delta.content or "" for choice in choices if choice.index == index)


def equal(left, right):
    assert left == right, f"{left!r} is not {right!r}"


def failure(call):
    try:
        call()
    except openai.OpenAIError as error:
        return error
    raise AssertionError("it did not fail")


def check_error(error, error_class, **fields):
    assert type(error) is error_class, repr(error)
    equal({name: getattr(error, name) for name in fields}, fields)
    assert isinstance(error.body["message"], str)


def an_answer_its_verdict_and_its_record():
    raw = create_raw(f"repeat: {GREETING}")
    answer = raw.parse()
    choice = answer.choices[0]
    equal((choice.message.role, choice.message.content, choice.finish_reason), ("assistant", GREETING, "stop"))
    assert answer.usage.total_tokens > 0 and answer.id and answer.model == "fake-large"
    equal(raw.headers["x-countersign-status"], "Safe")
    note(raw.headers, "Safe")


def a_stream():
    for model in MODELS:
        raw = create_raw(f"repeat: {GREETING}", model=model, stream=True, stream_options={"include_usage": True})
        equal(raw.headers["x-countersign-status"], "Pending")
        chunks = list(raw.parse())
        equal(text(chunks), GREETING)
        assert len(chunks) > 4 and chunks[-1].usage.total_tokens > 0
        note(raw.headers, "Safe")


def tool_calls_plain_and_streamed():
    tools = [openai.pydantic_function_tool(Weather, name="forecast")]
    for model in MODELS:
        plain = create("call a tool", model=model, tools=tools)
        with client.chat.completions.stream(**ask("call a tool", model=model, tools=tools)) as stream:
            streamed = stream.get_final_completion()
        for answer in (plain, streamed):
            [call] = answer.choices[0].message.tool_calls
            equal((answer.choices[0].finish_reason, call.type, call.function.name), ("tool_calls", "function", "forecast"))
            assert call.id
            Weather.model_validate_json(call.function.arguments)


def several_choices_plain_and_streamed():
    plain = create("two choices", n=2)
    equal([(c.index, c.message.content) for c in plain.choices], [(0, "One or so."), (1, "Two of them.")])
    for model in MODELS:
        chunks = list(create("two choices", model=model, n=2, stream=True))
        equal((text(chunks, 0), text(chunks, 1)), ("One or so.", "Two of them."))


def structured_output():
    request = ask("the weather", response_format=Weather)
    parsed = client.chat.completions.parse(**request).choices[0].message.parsed
    assert isinstance(parsed, Weather)
    with client.chat.completions.stream(**request) as stream:
        equal(stream.get_final_completion().choices[0].message.parsed, parsed)
    free = create("the weather", response_format={"type": "json_object"})
    assert isinstance(json.loads(free.choices[0].message.content), dict)


def unknown_fields_in_both_directions():
    made_up, kept = {"made_up": {"deep": [1.5, None, "é"]}}, {"kept": [1, "two", None]}
    equal(create("unknown fields", extra_body=made_up).x_fake_unknown, kept)
    chunks = list(create("unknown fields", extra_body=made_up, stream=True))
    equal(chunks[0].x_fake_unknown, kept)


def many_calls_at_once():
    async def one(many, n):
        request = ask(f"repeat: Number {n} of many.", stream=n % 2 == 1)
        answer = await many.chat.completions.create(**request)
        return text([chunk async for chunk in answer]) if n % 2 == 1 else answer.choices[0].message.content

    async def all_of_them():
        async with AsyncOpenAI(base_url=BASE_URL, api_key="unused", max_retries=0) as many:
            return await asyncio.gather(*(one(many, n) for n in range(20)))

    equal(asyncio.run(all_of_them()), [f"Number {n} of many." for n in range(20)])


def the_list_of_models():
    equal([model.id for model in client.models.list()], ["fake-large", "fake-small"])


def what_the_gateway_itself_refuses():
    empty = failure(lambda: client.chat.completions.create(model="fake-large", messages=[]))
    check_error(empty, openai.BadRequestError, status_code=400, type="invalid_request_error")
    nowhere = failure(lambda: client.post("/nowhere", body={}, cast_to=object))
    check_error(nowhere, openai.NotFoundError, status_code=404, type="invalid_request_error")


def keys():
    stranger = OpenAI(base_url=KEYED_URL, api_key="sk-not-a-key")
    refused = failure(lambda: stranger.chat.completions.create(**ask("hello")))
    check_error(refused, openai.AuthenticationError, status_code=401, code="invalid_api_key")
    check_error(failure(lambda: stranger.models.list()), openai.AuthenticationError, status_code=401)
    known = OpenAI(base_url=KEYED_URL, api_key=KEY)
    assert known.chat.completions.create(**ask("hello")).choices[0].message.content
    assert text(list(known.chat.completions.create(**ask("hello", stream=True))))


async def async_failure(call):
    try:
        await call
    except openai.OpenAIError as error:
        return error
    raise AssertionError("it did not fail")


def the_providers_errors():
    expected = [
        (400, openai.BadRequestError, "context_length_exceeded", "invalid_request_error"),
        (401, openai.AuthenticationError, "invalid_api_key", "invalid_request_error"),
        (404, openai.NotFoundError, "model_not_found", "invalid_request_error"),
        (429, openai.RateLimitError, "rate_limit_exceeded", "requests"),
        (500, openai.InternalServerError, None, "server_error"),
    ]

    async def one(many, row, stream):
        status, error_class, code, error_type = row
        request = ask(f"status {status}", model=f"failing-{status}", stream=stream)
        error = await async_failure(many.chat.completions.create(**request))
        check_error(error, error_class, status_code=status, code=code, type=error_type)
        note(error.response.headers, "Failed")

    async def all_of_them():
        async with AsyncOpenAI(base_url=BASE_URL, api_key="unused", max_retries=0) as many:
            await asyncio.gather(*(one(many, row, stream) for row in expected for stream in (False, True)))

    asyncio.run(all_of_them())


def the_client_does_not_retry_what_the_gateway_has_already_retried():
    async def all_of_them():
        async with AsyncOpenAI(base_url=BASE_URL, api_key="unused") as retrying:
            faults = [(fault, stream) for fault in ("status 500, retried", "reset, retried") for stream in (False, True)]
            requests = [ask(fault, model=f"failing {fault}", stream=stream) for fault, stream in faults]
            calls = (async_failure(retrying.chat.completions.create(**request)) for request in requests)
            return await asyncio.gather(*calls)

    errors = asyncio.run(all_of_them())
    equal([(type(error), error.status_code) for error in errors],
          [(openai.InternalServerError, status) for status in (500, 500, 502, 502)])


def a_refusal():
    refusal = {"code": "flagged", "type": "countersign_refused", "param": None}
    retrying = OpenAI(base_url=BASE_URL, api_key="unused")
    error = failure(lambda: retrying.chat.completions.create(**ask("card number", model="strict-1")))
    check_error(error, openai.PermissionDeniedError, status_code=403, **refusal)
    equal(error.response.headers["x-countersign-status"], "Flagged")
    note(error.response.headers, "Flagged")
    raw = create_raw("card number", model="strict-1", stream=True)
    seen = []
    check_error(failure(lambda: seen.extend(chunk.to_json() for chunk in raw.parse())), openai.APIError, **refusal)
    assert "4111" not in "".join(seen)
    note(raw.headers, "Flagged")
    observed = create_raw("card number")
    assert "4111" in observed.parse().choices[0].message.content
    equal(observed.headers["x-countersign-status"], "Flagged")


def streams_that_break():
    for model in MODELS:
        for fault in ("break the stream", "fail within the stream", "end the stream early"):
            raw = create_raw(fault, model=model, stream=True)
            # The provider's own error passes as it is.
            error_type = "server_error" if fault == "fail within the stream" else "upstream_error"
            check_error(failure(lambda: list(raw.parse())), openai.APIError, type=error_type)
            note(raw.headers, "Interrupted")


def time_outs():
    for stream in (False, True):
        error = failure(lambda: create("hang", stream=stream, timeout=1.0))
        assert type(error) is openai.APITimeoutError, repr(error)
        print("gave up")
    raw = create_raw("hang midway", stream=True, timeout=1.0)
    error = failure(lambda: list(raw.parse()))
    assert type(error) is openai.APITimeoutError, repr(error)
    note(raw.headers, "Cancelled")


def streams_that_the_caller_aborts():
    raw = create_raw("hang midway", stream=True)
    with raw.parse() as stream:
        next(chunk for chunk in stream if chunk.choices[0].delta.content)
    note(raw.headers, "Cancelled")

    async def cancelled_task():
        async with AsyncOpenAI(base_url=BASE_URL, api_key="unused", max_retries=0) as client:
            raw = await client.chat.completions.with_raw_response.create(**ask("hang midway", stream=True))
            has_begun = asyncio.Event()

            async def reading():
                async for chunk in raw.parse():
                    if chunk.choices[0].delta.content:
                        has_begun.set()

            task = asyncio.create_task(reading())
            await has_begun.wait()
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            note(raw.headers, "Cancelled")

    asyncio.run(cancelled_task())


CHECKS = [
    an_answer_its_verdict_and_its_record,
    a_stream,
    tool_calls_plain_and_streamed,
    several_choices_plain_and_streamed,
    structured_output,
    unknown_fields_in_both_directions,
    many_calls_at_once,
    the_list_of_models,
    what_the_gateway_itself_refuses,
    keys,
    the_providers_errors,
    the_client_does_not_retry_what_the_gateway_has_already_retried,
    a_refusal,
    streams_that_break,
    time_outs,
    streams_that_the_caller_aborts,
]

for check in CHECKS:
    print(f"checking: {check.__name__.replace('_', ' ')}", flush=True)
    check()
    print("ok", flush=True)
