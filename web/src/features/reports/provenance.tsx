// Where a report comes from and how it can be proved: hashes, the ledger, who asked for it.
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { Badge } from '@/components/ui/badge.tsx'
import { Facts, Panel } from '@/components/ui/panel.tsx'
import { Hash, When } from '@/components/ui/value.tsx'
import type { Written } from './queries.ts'
import { writerOf } from './sections.ts'

interface Props {
  report: Schemas['Report']
  verdict: Schemas['Verdict'] | undefined
  written: Written | undefined
}

export function Provenance({ report, verdict, written }: Props) {
  const writers = [...new Set(report.sections.map(writerOf))]
  const templates = [...new Set(report.sections.map(({ template }) => template))]
  return (
    <Panel title="Where it comes from">
      <div className="px-4 py-3">
        <Facts
          rows={[
            ['Written', report.generated_at ? <When key="at" at={report.generated_at} /> : 'not stated'],
            ['By', writers.join('; ') || 'not stated'],
            ['Templates', templates.join(', ') || 'not stated'],
            ['Asked for by', written?.requestedBy ?? askedForBy(report)],
            ['Type', `${report.report_type}, regulatory impact ${report.regulatory_impact}`],
            ['Content', report.content_hash ? <Hash key="content" value={report.content_hash} /> : 'not stated'],
            ['Record', <Hash key="record" value={report.context_sha256} />],
            ['Ledger', written ? <OnLedger key="ledger" written={written} /> : `position ${report.seq}`],
            ['Validator', <Untouched key="untouched" verdict={verdict} />],
          ]}
        />
      </div>
    </Panel>
  )
}

/** Where no key asked for it. */
function askedForBy({ regeneration_of, version }: Schemas['Report']): string {
  return regeneration_of
    ? `nobody by name: version ${version - 1} was to be written again`
    : 'no person: an agent wrote it when the alert came'
}

function OnLedger({ written }: { written: Written }) {
  return (
    <Link href={`/ledger/${written.eventId}`} className="text-accent underline underline-offset-2">
      position {written.seq}
    </Link>
  )
}

/** The hash before and after the supervisor read it. */
function Untouched({ verdict }: { verdict: Schemas['Verdict'] | undefined }) {
  if (!verdict?.hash_before || !verdict.hash_after) return 'not stated'
  if (verdict.hash_before === verdict.hash_after) return <Badge tone="safe">did not edit: hashes are equal</Badge>
  return <Badge tone="flagged">the hash changed while it was judged</Badge>
}
