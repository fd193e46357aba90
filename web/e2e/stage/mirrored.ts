// A stand-in for the Supabase project that the program mirrors its logs to. It keeps rows by id, like the real one.
import { StandIn } from './stand-in.ts'

/** PostgreSQL's error for a row that violates a check constraint. */
const CHECK_VIOLATION = { code: '23514', details: null, hint: null, message: 'violates a check constraint' }

interface Row {
  id: string
  query: string
}

export class MirroredProject extends StandIn {
  /** Decides which rows violate a constraint. */
  refuses: (row: Row) => boolean = () => false
  /** Every row received, including repeats. */
  readonly received: Row[] = []
  readonly stored = new Map<string, Row>()

  constructor() {
    super((body) => {
      const rows = JSON.parse(body) as Row[]
      this.received.push(...rows)
      if (rows.some((row) => this.refuses(row))) return [400, CHECK_VIOLATION]
      for (const row of rows) this.stored.set(row.id, row)
      return [201, null]
    })
  }

  /** The environment of a program that mirrors to it. Valid once it is started. */
  env = (): Record<string, string> => ({ SUPABASE_URL: this.url, SUPABASE_KEY: 'not-a-real-key' })
}
