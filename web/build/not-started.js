// Runs before the dashboard, and says something only if that can't be loaded. A browser names its page's origin with the
// dashboard's scripts but not with this one, so this one is there also where the server refuses the others.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return
    document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    document.getElementById('not-started').hidden = false
    document.getElementById('not-started-setting').textContent = `FRONTEND_URL=${location.origin}`
  },
  true,
)
