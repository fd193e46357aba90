// Sessions on a server that requires keys: who can sign in, how a session ends, and what the browser stores.
import { programForFile } from './stage/program.ts'
import { settled } from './stage/settled.ts'
import { connected, enter, signIn } from './stage/sign-in.ts'
import { expect, test } from './stage/visit.ts'

const allowed: string[] = []
const program = programForFile({
  keysRequired: true,
  env: () => (allowed.length === 0 ? {} : { FRONTEND_URL: allowed.join(',') }),
})

test('without a key only the sign-in page is shown, and a wrong key is refused', async ({ visit }) => {
  const { page } = await visit(program, '/ledger', { requestsMayFail: true })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  await signIn(page, `cs_abcdefgh2345_${'a'.repeat(43)}`)
  await page.getByRole('alert').getByText('This key is unknown, expired or revoked').waitFor()
})

test('a key signs its owner in by name, and signing out ends the session', async ({ visit }) => {
  const { key } = program.createKey('viewer', 'Ana, night shift')
  const { page, context } = await visit(program)
  await enter(page, key)
  await page.getByText('Ana, night shift').first().waitFor()
  const held = (await context.cookies()).find(({ name }) => name === 'countersign_session')
  expect(held).toMatchObject({ httpOnly: true, sameSite: 'Strict' })

  await page.getByRole('button', { name: /^Sign out/ }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await context.cookies()).toEqual([])
  const replayed = await fetch(`${program.url}/api/logs`, { headers: { cookie: `countersign_session=${held?.value}` } })
  expect(replayed.status).toBe(401)
})

test('scripts can read neither the key nor the session', async ({ visit }) => {
  const { key } = program.createKey('viewer', 'Ben')
  const { page, context } = await visit(program)
  await enter(page, key)
  const readable = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, history.state, location.href]),
  )
  const secrets = [key, ...(await context.cookies()).map(({ value }) => value)]
  expect(secrets).toHaveLength(2)
  for (const secret of secrets) expect(readable).not.toContain(secret)
  expect(await page.content()).not.toContain(key)
})

test('a session survives a reload and ends with its key', async ({ visit }) => {
  const { id, key } = program.createKey('investigator', 'Caio')
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await enter(page, key)
  await page.reload()
  await connected(page)
  program.revokeKey(id)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByText('Your session has ended').waitFor()
})

test('a viewer is not offered actions that the role does not allow', async ({ visit }) => {
  const { key } = program.createKey('viewer', 'Dora')
  const { page } = await visit(program, '/agents', { requestsMayFail: true })
  await enter(page, key)
  await page.getByRole('heading', { name: 'supervisor' }).waitFor()
  expect(await page.getByRole('button', { name: /^Pause/ }).count()).toBe(0)
})

test('a restart signs people out and says so', async ({ visit }) => {
  const { key } = program.createKey('viewer', 'Eva')
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await enter(page, key)
  // Code that is still being fetched when the server dies is covered in reconnect.test.ts.
  await settled(page)
  await program.kill()
  await page.locator('[data-connection=disconnected]').waitFor()
  await program.start()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await enter(page, key)
})

test('at an address that the server does not know, the page names the setting, and loads once it is set', async ({
  visit,
}) => {
  const { key } = program.createKey('viewer', 'Nina')
  const { page } = await visit(program, '/', { host: 'countersign.localhost', requestsMayFail: true })
  const { origin } = new URL(page.url())
  await page.getByRole('heading', { name: 'The dashboard could not be loaded' }).waitFor()
  await page.getByText(`FRONTEND_URL=${origin}`, { exact: true }).waitFor()

  allowed.push(origin)
  await program.kill()
  await program.start()
  await page.reload()
  await enter(page, key)
  expect(await page.getByText('could not be loaded').isVisible()).toBe(false)
})
