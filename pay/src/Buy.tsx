import { Checkout, type OrderSession, useOrder, useOrderSession } from 'kassa'
import { linkId, type OpenedLink } from './link.js'
import type { Messages } from './messages/index.js'
import { Notice } from './Notice.js'
import { Start } from './Start.js'

type ChildProps = { link: OpenedLink; messages: Messages }

/** Returns where a buyer goes after the purchase, with the id of the order. */
const toSuccessUrl = (url: string, orderId: string): string => {
  const page = new URL(url)
  page.searchParams.set('orderId', orderId)
  return page.href
}

type PlacedProps = ChildProps & { session: OrderSession; onNew(): void }

const Placed = ({ link, messages, session, onNew }: PlacedProps) => {
  const { data: order, error } = useOrder(session)
  const isEnded = order?.phase === 'completed'
  // An order that is being paid stays: its buyer would lose the way back to it.
  const isOver = isEnded || order?.quote.status === 'expired' || (!order && error !== null)
  return (
    <>
      <Checkout.Panel {...session} />
      <p className="ways">
        {isEnded && link.successUrl !== undefined && (
          <a className="button" href={toSuccessUrl(link.successUrl, session.orderId)}>
            {messages.toShop}
          </a>
        )}
        {isOver && link.status === 'active' && (
          <button type="button" className="button" data-kind="plain" onClick={onNew}>
            {messages.newOrder}
          </button>
        )}
      </p>
    </>
  )
}

/** The page of a link for its buyer: what it sells, and then the order, which survives a reload. */
export const Buy = ({ link, messages }: ChildProps) => {
  const [session, setSession] = useOrderSession({ storage: 'local', key: `kassa.pay.${linkId}` })
  if (session) {
    return <Placed link={link} messages={messages} session={session} onNew={() => setSession(undefined)} />
  }
  if (link.status !== 'active') return <Notice status={link.status} messages={messages} />
  return <Start link={link} messages={messages} onOrder={setSession} />
}
