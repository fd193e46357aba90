// The report rendered from Markdown. Raw HTML stays text, images are not fetched, and only safe links are links.
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

const SAFE_LINK = /^(https?:|mailto:)/i

const COMPONENTS: Components = {
  a: ({ href, children }) =>
    href !== undefined && SAFE_LINK.test(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // Fetching a picture would tell its host that the report is being read.
  img: ({ alt }) => <span className="text-muted">[picture: {alt === '' ? 'without a description' : alt}]</span>,
  h1: ({ children }) => <h3 className="mt-4 font-semibold text-lg first:mt-0">{children}</h3>,
  h2: ({ children }) => <h4 className="mt-4 font-semibold">{children}</h4>,
  h3: ({ children }) => <h5 className="mt-3 font-medium">{children}</h5>,
  p: ({ children }) => <p className="my-2 max-w-[76ch] leading-relaxed">{children}</p>,
  ul: ({ children }) => <ul className="my-2 list-disc pl-5">{children}</ul>,
  ol: ({ children }) => <ol className="my-2 list-decimal pl-5">{children}</ol>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable with the keyboard.
    <section tabIndex={0} aria-label="Table" className="my-2 max-w-full overflow-x-auto">
      <table className="text-sm">{children}</table>
    </section>
  ),
  th: ({ children }) => <th className="border border-line px-2 py-1 text-left font-medium">{children}</th>,
  td: ({ children }) => <td className="border border-line px-2 py-1 [overflow-wrap:anywhere]">{children}</td>,
  code: ({ children }) => <code className="rounded-sm bg-sunken px-1 font-mono text-[0.93em]">{children}</code>,
  pre: ({ children }) => <pre className="foreign my-2 rounded-md bg-sunken p-2">{children}</pre>,
}

export default function MarkdownText({ text }: { text: string }) {
  return (
    <div className="overflow-x-hidden px-4 py-3 [overflow-wrap:anywhere] [unicode-bidi:isolate]">
      <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
        {text}
      </Markdown>
    </div>
  )
}
