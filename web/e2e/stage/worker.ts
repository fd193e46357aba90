// A scripted model that speaks the OpenAI wire format.
import { type Answer, StandIn } from './stand-in.ts'

/** Returns a text, or the HTTP status of a failure. `system` is the system prompt. */
export type Says = (query: string, system: string) => string | number

type Purpose = 'WORKER' | 'WRITER' | 'SUPERVISOR'

export class Worker extends StandIn {
  says: Says = () => 'Paris is the capital of France.'

  constructor() {
    super((body) => this.#answer(body))
  }

  #answer(body: string): Answer {
    // The program lists the models once at its start, to check the key.
    if (body === '') return [200, { object: 'list', data: [] }]
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
    const system = messages.find(({ role }) => role === 'system')?.content ?? ''
    const reply = this.says(messages.at(-1)?.content ?? '', system)
    if (typeof reply === 'string') return [200, completion(reply)]
    return [reply, { error: { message: 'as scripted', type: 'test' } }]
  }

  /** The environment of a program that uses it. Valid once it is started. */
  env = (...purposes: Purpose[]): Record<string, string> => ({
    ...Object.fromEntries(purposes.map((purpose) => [`COUNTERSIGN_${purpose}`, 'groq/scripted'])),
    GROQ_API_KEY: 'not-a-real-key',
    GROQ_BASE_URL: `${this.url}/openai/v1`,
  })
}

function completion(content: string) {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
  }
}

export function workerForFile(): Worker {
  return new Worker().forFile()
}
