// OpenAI's own client from npm against the gateway. Prints a line for each check, and stops at the first that fails.
// The lines `log <id> <status>` and `gave up` tell the Rust test that runs this script what must be on record.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';

const [baseURL, keyedURL, key] = process.argv.slice(2);
setTimeout(() => { console.error('Timed out after 120 s.'); process.exit(1); }, 120_000).unref();

/** For checks in which each attempt counts. */
const client = new OpenAI({ baseURL, apiKey: 'unused', maxRetries: 0 });
const retrying = new OpenAI({ baseURL, apiKey: 'unused' });

const GREETING = 'Grüße aus 東京 🦀, "alles" ist gut.\nWirklich.';
const Weather = z.object({ city: z.string(), days: z.number().int() });
const ask = (content, more = {}) => ({ model: 'fake-large', messages: [{ role: 'user', content }], ...more });
const create = (content, more, options) => client.chat.completions.create(ask(content, more), options);

const note = (headers, status) => console.log(`log ${headers.get('x-countersign-log-id')} ${status}`);

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const text = (chunks, index = 0) =>
  chunks.flatMap((chunk) => chunk.choices).map((c) => (c.index === index ? (c.delta.content ?? '') : '')).join('');

async function failure(promise) {
  return promise.then(() => assert.fail('it did not fail'), (error) => error);
}

function checkError(error, Class, fields) {
  assert.equal(error.constructor, Class, `${error.stack}`);
  for (const [name, value] of Object.entries(fields)) assert.equal(error[name], value, name);
  assert.equal(typeof error.error.message, 'string');
}

const checks = {
  async 'an answer, its verdict and its record'() {
    const { data, response } = await create(`repeat: ${GREETING}`).withResponse();
    const [choice] = data.choices;
    assert.deepEqual([choice.message.role, choice.message.content, choice.finish_reason], ['assistant', GREETING, 'stop']);
    assert.ok(data.usage.total_tokens > 0 && data.id && data.model === 'fake-large');
    assert.equal(response.headers.get('x-countersign-status'), 'Safe');
    note(response.headers, 'Safe');
  },

  async 'a stream'() {
    const more = { stream: true, stream_options: { include_usage: true } };
    const { data, response } = await create(`repeat: ${GREETING}`, more).withResponse();
    assert.equal(response.headers.get('x-countersign-status'), 'Pending');
    const chunks = await read(data);
    assert.equal(text(chunks), GREETING);
    assert.ok(chunks.length > 4 && chunks.at(-1).usage.total_tokens > 0);
    note(response.headers, 'Safe');
  },

  async 'a stream of a model whose policy is enforced'() {
    const { data, response } = await create(`repeat: ${GREETING}`, { model: 'strict-1', stream: true }).withResponse();
    assert.equal(text(await read(data)), GREETING);
    note(response.headers, 'Safe');
  },

  async 'tool calls, plain and streamed, also where a policy is enforced'() {
    const tools = [zodFunction({ name: 'forecast', parameters: Weather })];
    for (const model of ['fake-large', 'strict-1']) {
      const plain = await create('call a tool', { model, tools });
      const streamed = await client.chat.completions.stream(ask('call a tool', { model, tools })).finalChatCompletion();
      for (const { choices } of [plain, streamed]) {
        const [call] = choices[0].message.tool_calls;
        assert.deepEqual([choices[0].finish_reason, call.type, call.function.name], ['tool_calls', 'function', 'forecast']);
        assert.ok(call.id);
        Weather.parse(JSON.parse(call.function.arguments));
      }
    }
  },

  async "the client's own loop of tool calls"() {
    for (const stream of [false, true]) {
      const called = [];
      const forecast = (given) => { called.push(given); return 'Rain.'; };
      const tools = [zodFunction({ name: 'forecast', parameters: Weather, function: forecast })];
      const runner = client.chat.completions.runTools(ask('call a tool', { tools, stream }));
      assert.ok((await runner.finalContent()).length > 0);
      assert.equal(called.length, 1);
      assert.equal(typeof called[0].city, 'string');
    }
  },

  async 'several choices, plain and streamed'() {
    const plain = await create('two choices', { n: 2 });
    assert.deepEqual(plain.choices.map((c) => [c.index, c.message.content]), [[0, 'One or so.'], [1, 'Two of them.']]);
    for (const model of ['fake-large', 'strict-1']) {
      const chunks = await read(await create('two choices', { model, n: 2, stream: true }));
      assert.deepEqual([text(chunks, 0), text(chunks, 1)], ['One or so.', 'Two of them.']);
    }
  },

  async 'structured output'() {
    const request = ask('the weather', { response_format: zodResponseFormat(Weather, 'weather') });
    const parsed = await client.chat.completions.parse(request);
    Weather.parse(parsed.choices[0].message.parsed);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    assert.deepEqual(streamed.choices[0].message.parsed, parsed.choices[0].message.parsed);
    const free = await create('the weather', { response_format: { type: 'json_object' } });
    assert.equal(typeof JSON.parse(free.choices[0].message.content), 'object');
  },

  async 'unknown fields, in both directions'() {
    const kept = { kept: [1, 'two', null] };
    const answer = await create('unknown fields', { made_up: { deep: [1.5, null, 'é'] } });
    assert.deepEqual(answer.x_fake_unknown, kept);
    const chunks = await read(await create('unknown fields', { stream: true, made_up: { deep: [1.5, null, 'é'] } }));
    assert.deepEqual(chunks[0].x_fake_unknown, kept);
  },

  async 'many calls at once'() {
    const calls = Array.from({ length: 20 }, async (_, n) => {
      const stream = n % 2 === 1;
      const answer = await create(`repeat: Number ${n} of many.`, { stream });
      return stream ? text(await read(answer)) : answer.choices[0].message.content;
    });
    assert.deepEqual(await Promise.all(calls), calls.map((_, n) => `Number ${n} of many.`));
  },

  async 'the list of models'() {
    const models = [];
    for await (const model of client.models.list()) models.push(model.id);
    assert.deepEqual(models, ['fake-large', 'fake-small']);
  },

  async 'what the gateway itself refuses'() {
    const empty = await failure(client.chat.completions.create({ model: 'fake-large', messages: [] }));
    checkError(empty, OpenAI.BadRequestError, { status: 400, type: 'invalid_request_error' });
    const nowhere = await failure(client.post('/nowhere', { body: {} }));
    checkError(nowhere, OpenAI.NotFoundError, { status: 404, type: 'invalid_request_error' });
  },

  async 'keys'() {
    const stranger = new OpenAI({ baseURL: keyedURL, apiKey: 'sk-not-a-key' });
    const error = await failure(stranger.chat.completions.create(ask('hello')));
    checkError(error, OpenAI.AuthenticationError, { status: 401, code: 'invalid_api_key' });
    checkError(await failure(stranger.models.list()), OpenAI.AuthenticationError, { status: 401 });
    const known = new OpenAI({ baseURL: keyedURL, apiKey: key });
    assert.ok((await known.chat.completions.create(ask('hello'))).choices[0].message.content);
    assert.ok(text(await read(await known.chat.completions.create(ask('hello', { stream: true })))));
  },

  async "the provider's errors"() {
    const expected = [
      [400, OpenAI.BadRequestError, 'context_length_exceeded', 'invalid_request_error'],
      [401, OpenAI.AuthenticationError, 'invalid_api_key', 'invalid_request_error'],
      [404, OpenAI.NotFoundError, 'model_not_found', 'invalid_request_error'],
      [429, OpenAI.RateLimitError, 'rate_limit_exceeded', 'requests'],
      [500, OpenAI.InternalServerError, null, 'server_error'],
    ];
    const calls = expected.flatMap((row) => [false, true].map(async (stream) => {
      const [status, Class, code, type] = row;
      const error = await failure(create(`status ${status}`, { model: `failing-${status}`, stream }));
      checkError(error, Class, { status, code, type });
      note(error.headers, 'Failed');
    }));
    await Promise.all(calls);
  },

  async 'the client does not retry what the gateway has already retried'() {
    const call = (content, stream) =>
      failure(retrying.chat.completions.create(ask(content, { model: `failing ${content}`, stream })));
    const faults = ['status 500, retried', 'reset, retried'];
    const errors = await Promise.all(faults.flatMap((fault) => [call(fault, false), call(fault, true)]));
    assert.deepEqual(errors.map((error) => error.status), [500, 500, 502, 502]);
    for (const error of errors) assert.equal(error.constructor, OpenAI.InternalServerError);
  },

  async 'a refusal'() {
    const refusal = { code: 'flagged', type: 'countersign_refused', param: null };
    const error = await failure(retrying.chat.completions.create(ask('card number', { model: 'strict-1' })));
    checkError(error, OpenAI.PermissionDeniedError, { status: 403, ...refusal });
    assert.equal(error.headers.get('x-countersign-status'), 'Flagged');
    note(error.headers, 'Flagged');
    const { data, response } = await create('card number', { model: 'strict-1', stream: true }).withResponse();
    const seen = [];
    const broken = await failure((async () => { for await (const chunk of data) seen.push(chunk); })());
    checkError(broken, OpenAI.APIError, refusal);
    assert.ok(!JSON.stringify(seen).includes('4111'));
    note(response.headers, 'Flagged');
    const observed = await create('card number').withResponse();
    assert.match(observed.data.choices[0].message.content, /4111/);
    assert.equal(observed.response.headers.get('x-countersign-status'), 'Flagged');
  },

  async 'streams that break'() {
    for (const model of ['fake-large', 'strict-1']) {
      for (const fault of ['break the stream', 'fail within the stream', 'end the stream early']) {
        const { data, response } = await create(fault, { model, stream: true }).withResponse();
        // The provider's own error passes as it is.
        const type = fault === 'fail within the stream' ? 'server_error' : 'upstream_error';
        checkError(await failure(read(data)), OpenAI.APIError, { type });
        note(response.headers, 'Interrupted');
      }
    }
  },

  async 'time-outs'() {
    for (const stream of [false, true]) {
      const error = await failure(create('hang', { stream }, { timeout: 1000 }));
      assert.equal(error.constructor, OpenAI.APIConnectionTimeoutError);
      console.log('gave up');
    }
  },

  async 'streams that the caller aborts'() {
    const leave = { controller: (stream) => stream.controller.abort(), signal: (_, mine) => mine.abort() };
    for (const way of ['break', 'controller', 'signal']) {
      const mine = new AbortController();
      const call = create('hang midway', { stream: true }, { signal: mine.signal });
      const { data, response } = await call.withResponse();
      for await (const chunk of data) {
        if (!chunk.choices[0].delta.content) continue;
        if (way === 'break') break;
        leave[way](data, mine);
      }
      note(response.headers, 'Cancelled');
    }
  },
};

for (const [name, check] of Object.entries(checks)) {
  console.log(`checking: ${name}`);
  await check();
  console.log('ok');
}
