import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.js'
import 'kassa/theme.css'
import '../../console/src/theme.css'
import './pay.css'

const element = document.getElementById('root')
if (element) {
  createRoot(element).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
