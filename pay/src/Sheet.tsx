import { drawCode } from './drawCode.js'
import { pageUrl } from './link.js'
import type { Messages } from './messages/index.js'

/** The link as a QR code and as text, which only a printed page shows. */
export const Sheet = ({ messages }: { messages: Messages }) => {
  const { path, size } = drawCode(pageUrl)
  return (
    <div className="sheet" aria-hidden="true">
      <svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
        <title>{messages.scan}</title>
        <rect width="100%" height="100%" fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p>{messages.scan}</p>
      <p className="address">{pageUrl}</p>
    </div>
  )
}
