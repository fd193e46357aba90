// The whole page: what is shared by all of it, who may see it, and which part is shown where.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, Suspense, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { newQueryClient } from './api/queries.ts'
import { sessionQuery } from './api/session.ts'
import { Boundary } from './components/ui/boundary.tsx'
import { Empty, Failed, Loading } from './components/ui/states.tsx'
import { AuditsPage } from './features/audits/page.tsx'
import { KeyboardProvider } from './keyboard.tsx'
import { LiveProvider } from './live/live.tsx'
import { part } from './part.ts'
import { Shell } from './shell/shell.tsx'

const InvestigationsPage = part(() => import('./features/investigations/page.tsx'))
const InvestigationPage = part(() => import('./features/investigations/one.tsx'))
const ReportPage = part(() => import('./features/reports/page.tsx'))
const AgentsPage = part(() => import('./features/agents/page.tsx'))
const LedgerPage = part(() => import('./features/ledger/page.tsx'))
const EventPage = part(() => import('./features/ledger/event.tsx'))
const SettingsPage = part(() => import('./features/settings/page.tsx'))
const SignInPage = part(() => import('./features/session/sign-in.tsx'))

export function App() {
  const [queries] = useState(newQueryClient)
  return (
    // Base UI would add style elements of its own, which the page's policy refuses.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <KeyboardProvider>
          <Boundary at="">
            <Suspense fallback={<Loading />}>
              <Admitted>
                <LiveProvider>
                  <Shell>
                    <Pages />
                  </Shell>
                </LiveProvider>
              </Admitted>
            </Suspense>
          </Boundary>
        </KeyboardProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}

/** Shows the page to those who may see it, and the sign-in to the others. */
function Admitted({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(sessionQuery)
  // A session that can't be read again, because the server is away, leaves the page as it is.
  if (data?.signed_in) {
    // For somebody else the pages are made anew: nothing of what they hold may stay.
    return <Fragment key={`${data.name} ${data.csrf}`}>{children}</Fragment>
  }
  if (data !== undefined) return <SignInPage hasEnded={data.has_ended} />
  if (error) return <Failed what="The server" problem={error} retry={() => void refetch()} />
  return <Loading label="Loading the dashboard" />
}

function Pages() {
  const [location] = useLocation()
  return (
    <Boundary at={location}>
      <Suspense fallback={<Loading rows={10} />}>
        <Switch>
          <Route path="/" component={AuditsPage} />
          <Route path="/investigations" component={InvestigationsPage} />
          <Route path="/investigations/:id">{({ id }) => <InvestigationPage id={id} />}</Route>
          <Route path="/reports/:id">{({ id }) => <ReportPage id={id} />}</Route>
          <Route path="/agents" component={AgentsPage} />
          <Route path="/ledger" component={LedgerPage} />
          <Route path="/ledger/:id">{({ id }) => <EventPage id={id} />}</Route>
          <Route path="/settings" component={SettingsPage} />
          <Route>
            <Empty title="There is no such page">The menu above leads to those that there are.</Empty>
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  )
}
