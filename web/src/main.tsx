import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './theme/theme.css'
import { applyTheme } from './theme/theme.ts'

applyTheme()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme)

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
