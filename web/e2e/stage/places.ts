// Where the dashboard's folders and the tested program are.
import { resolve } from 'node:path'

export const WEB = resolve(import.meta.dirname, '../..')
export const DIST = resolve(WEB, 'dist')
export const PROGRAM = process.env.COUNTERSIGN_BIN ?? resolve(WEB, '../target/debug/countersign')
