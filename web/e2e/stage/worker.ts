// A model that says what the test tells it to, in the wire format of the providers that the program knows.
import { type Answer, StandIn } from './stand-in.ts'

/** A text, or the HTTP status of a failure. `system` is what it was told to be. */
export type Says = (query: string, system: string) => string | number

type Purpose = 'WORKER' | 'WRITER' | 'SUPERVISOR'

export class Worker extends StandIn {
  says: Says = () => 'Paris is the capital of France.'

  constructor() {
    super((body) => this.#answer(body))
  }

  #answer(body: string): Answer {
    // The program asks for the models once at its start, to see whether the key is taken.
    if (body === '') return [200, { object: 'list', data: [] }]
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
    const system = messages.find(({ role }) => role === 'system')?.content ?? ''
    const said = this.says(messages.at(-1)?.content ?? '', system)
    if (typeof said === 'string') return [200, completion(said)]
    return [said, { error: { message: 'as asked', type: 'test' } }]
  }

  /** For the program that shall ask it; complete once it is started. */
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
