import { createRoot, type Root } from 'react-dom/client'
import { styles } from './panel/styles.js'

/** The panel's own root at the end of the page. */
export type OpenRoot = { root: Root; close(): void }

/**
 * Opens a separate React root in a shadow root. Styles and events do not pass between the panel and the app,
 * and the panel's place in the app's tree does not shift anything there.
 */
export const openRoot = (): OpenRoot => {
  const host = document.createElement('kassa-devtools')
  // Overrides any rule of the app, such as `body > *`.
  host.style.setProperty('all', 'initial', 'important')
  const shadow = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  shadow.adoptedStyleSheets = [sheet]
  document.body.append(host)
  const root = createRoot(shadow)
  return {
    root,
    close: () => {
      host.remove()
      // React may be rendering the app at this moment.
      queueMicrotask(() => root.unmount())
    },
  }
}
