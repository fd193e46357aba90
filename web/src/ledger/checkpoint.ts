// The newest signed checkpoint. The shell updates it from live messages, for every page.
import { queryOptions } from '@tanstack/react-query'
import { api, take } from '@/api/client.ts'

export const checkpointQuery = queryOptions({
  queryKey: ['ledger', 'checkpoint'],
  queryFn: ({ signal }) => take(api.GET('/api/ledger/checkpoint', { parseAs: 'text', signal })),
})
