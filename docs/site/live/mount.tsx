import { createRoot } from 'react-dom/client'
import theme from '../../../src/theme.css?inline'
import frame from './frame.css?inline'
import { type Layout, LivePurchase } from './LivePurchase.js'

type LiveOptions = {
  look: string
  layout: Layout
  theme: 'light' | 'dark'
}

/** A purchase that is shown in a page. */
export type LiveView = { setTheme(theme: LiveOptions['theme']): void; unmount(): void }

const looks = import.meta.glob<string>('./looks/*.css', { eager: true, query: '?inline', import: 'default' })

/** Mounts a purchase in a shadow root, where the styles of the site and of the example do not meet. */
export const mount = (host: HTMLElement, { look, layout, theme: first }: LiveOptions): LiveView => {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  // The panel has the library's own look; the other layouts show what can be done without it.
  const styles = [frame, layout === 'panel' ? theme : '', looks[`./looks/${look}.css`] ?? '']
  const root = createRoot(shadow)
  const setTheme = (chosen: LiveOptions['theme']): void =>
    root.render(
      <>
        <style>{styles.join('\n')}</style>
        <div className="shop" data-theme={chosen}>
          <LivePurchase layout={layout} />
        </div>
      </>,
    )
  setTheme(first)
  return { setTheme, unmount: () => root.unmount() }
}
