// A Supabase project that the program mirrors its logs to: it keeps rows by their id, as the real one is asked to.
import { StandIn } from './stand-in.ts'

/** PostgreSQL's code for a row that breaks a rule of its table. */
const BREAKS_A_RULE = { code: '23514', details: null, hint: null, message: 'violates a check constraint' }

interface Row {
  id: string
  query: string
}

export class MirroredProject extends StandIn {
  /** Rows that its table has a rule against. */
  refuses: (row: Row) => boolean = () => false
  /** Every row that it was sent, as often as it was. */
  readonly sent: Row[] = []
  readonly kept = new Map<string, Row>()

  constructor() {
    super((body) => {
      const rows = JSON.parse(body) as Row[]
      this.sent.push(...rows)
      if (rows.some((row) => this.refuses(row))) return [400, BREAKS_A_RULE]
      for (const row of rows) this.kept.set(row.id, row)
      return [201, null]
    })
  }

  /** For the program that shall mirror to it; complete once it is started. */
  env = (): Record<string, string> => ({ SUPABASE_URL: this.url, SUPABASE_KEY: 'not-a-real-key' })
}
