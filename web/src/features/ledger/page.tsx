export default function LedgerPage() {
  return <p>LedgerPage</p>
}
