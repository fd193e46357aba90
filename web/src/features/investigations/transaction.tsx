// The transaction that the alert is about. Identifiers are shown only on request.
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { DefinitionList, Panel } from '@/components/ui/panel.tsx'
import { fullTime, money, When } from '@/components/ui/value.tsx'
import { isMasked } from './customer.ts'
import { nameInWords } from './signals.ts'

export function TransactionPanel({ one }: { one: Schemas['Investigation'] }) {
  const { transaction } = one
  return (
    <Panel title="Transaction">
      <div className="flex flex-col gap-3 px-4 py-3">
        {transaction ? (
          <DefinitionList rows={rows(transaction)} />
        ) : (
          <p className="text-muted text-sm">
            {one.transaction_id ? 'This transaction is not on record.' : 'The alert names no transaction.'}
          </p>
        )}
        {isMasked(one.user_id) ? (
          <p className="text-muted text-sm">Personal data is masked for your role. Investigators see it in full.</p>
        ) : (
          <details className="text-sm">
            <summary className="text-muted">Show identifiers</summary>
            <div className="pt-2">
              <DefinitionList rows={identifiers(one)} />
            </div>
          </details>
        )}
      </div>
    </Panel>
  )
}

function rows(transaction: Schemas['TransactionRow']): [string, React.ReactNode][] {
  const { location, metadata } = transaction
  const all: [string, React.ReactNode][] = [
    ['Amount', money(transaction.amount)],
    ['Time', <When key="when" at={transaction.occurred_at} />],
    ['Merchant', transaction.merchant],
    ['Category', transaction.category && nameInWords(transaction.category)],
    ['Channel', transaction.channel && nameInWords(transaction.channel)],
    ['Location', location && [location.city, location.country].filter(Boolean).join(', ')],
    ['Account opened', transaction.account_opened_at && fullTime(transaction.account_opened_at)],
    ...Object.entries(metadata ?? {}).map(([name, value]): [string, React.ReactNode] => [
      nameInWords(name),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    [
      'Ledger',
      <Link key="ledger" href={`/ledger/${transaction.event_id}`} className="text-accent underline underline-offset-2">
        Position {transaction.seq}
      </Link>,
    ],
  ]
  return all.filter(([, value]) => value)
}

function identifiers(one: Schemas['Investigation']): [string, React.ReactNode][] {
  const all: [string, string | null | undefined][] = [
    ['Customer', one.user_id],
    ['Transaction', one.transaction_id],
    ['IP address', one.transaction?.ip_address],
    ['Device', one.transaction?.device_fingerprint],
    ['Alert', one.alert_id],
    ['Investigation', one.investigation_id],
  ]
  return all.filter(([, value]) => value)
}
