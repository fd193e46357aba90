// The root of the dashboard: shared providers, the sign-in check and the routes.
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
import { lazyComponent } from './lazy-component.ts'
import { LiveProvider } from './live/live.tsx'
import { Shell } from './shell/shell.tsx'

const InvestigationsPage = lazyComponent(() => import('./features/investigations/page.tsx'))
const InvestigationPage = lazyComponent(() => import('./features/investigations/one.tsx'))
const ReportPage = lazyComponent(() => import('./features/reports/page.tsx'))
const AgentsPage = lazyComponent(() => import('./features/agents/page.tsx'))
const LedgerPage = lazyComponent(() => import('./features/ledger/page.tsx'))
const EventPage = lazyComponent(() => import('./features/ledger/event.tsx'))
const SettingsPage = lazyComponent(() => import('./features/settings/page.tsx'))
const SignInPage = lazyComponent(() => import('./features/session/sign-in.tsx'))

export function App() {
  const [queries] = useState(newQueryClient)
  return (
    // Base UI would add inline style elements, which the Content-Security-Policy forbids.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <KeyboardProvider>
          <Boundary at="">
            <Suspense fallback={<Loading />}>
              <RequireSession>
                <LiveProvider>
                  <Shell>
                    <Pages />
                  </Shell>
                </LiveProvider>
              </RequireSession>
            </Suspense>
          </Boundary>
        </KeyboardProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}

/** Shows the dashboard to a signed-in user, and the sign-in page to anyone else. */
function RequireSession({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(sessionQuery)
  // If the server can't be reached, a failed re-read of the session leaves the page as it is.
  if (data?.signed_in) {
    // The key remounts all pages when another user signs in, so no state of the previous user remains.
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
            <Empty title="Page not found">Check the address, or choose a page from the menu.</Empty>
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  )
}
