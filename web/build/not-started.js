// Shows a message if the dashboard's scripts can't be loaded. Browsers send the page's origin with module scripts but not
// with a plain script like this one, so it loads even where the server refuses the others because of their origin.
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
