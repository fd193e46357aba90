// Inserts `not-started.js` before the dashboard's scripts, as a plain script with a hash in its file name.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const source = readFileSync(new URL('not-started.js', import.meta.url), 'utf8')
const fileName = `assets/not-started-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`

export function notStarted(): Plugin {
  return {
    name: 'not-started',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace('<script type="module"', `<script src="/${fileName}"></script>\n    <script type="module"`)
          // The message needs the style sheet too, so that must also load without an origin.
          .replace('<link rel="stylesheet" crossorigin', '<link rel="stylesheet"'),
    },
  }
}
