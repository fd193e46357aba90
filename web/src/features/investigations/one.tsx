export default function InvestigationPage({ id }: { id: string }) {
  return <p>{id}</p>
}
