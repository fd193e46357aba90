export default function ReportPage({ id }: { id: string }) {
  return <p>{id}</p>
}
