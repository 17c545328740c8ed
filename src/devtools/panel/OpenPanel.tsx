import { type KeyboardEvent, type ReactElement, type Ref, useId, useState } from 'react'
import type { Devtools } from '../createDevtools.js'
import type { DevtoolsSnapshot, OrderRecord } from '../snapshot.js'
import { ForceTab } from './ForceTab.js'
import { shortenId } from './format.js'
import type { Side } from './layout.js'
import { Mark } from './Mark.js'
import { PaymentTab } from './PaymentTab.js'
import { RequestsTab } from './RequestsTab.js'
import { type Tab, Tabs } from './Tabs.js'
import { TimelineTab } from './TimelineTab.js'

/** Props of {@link Panel}. */
export type PanelProps = {
  devtools: Devtools
  /** The order to show. By default every order of the page. */
  orderId?: string | undefined
  corner: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left'
  side: Side
  theme?: 'light' | 'dark' | undefined
  /** Whether it is open on a first visit. */
  isOpen: boolean
  /** The account of the connected wallet. */
  getAccount(): string | undefined
}

type TabName = 'timeline' | 'requests' | 'payment' | 'force'

type Props = Pick<PanelProps, 'devtools' | 'getAccount'> & {
  id: string
  snapshot: DevtoolsSnapshot
  orders: readonly OrderRecord[]
  order: OrderRecord | undefined
  onChoose(orderId: string): void
  onClose(): void
  /** Receives the focus when the panel opens. */
  ref: Ref<HTMLButtonElement>
}

const Choice = ({ orders, order, onChoose }: Pick<Props, 'orders' | 'order' | 'onChoose'>) =>
  orders.length > 1 ? (
    <select aria-label="Order" value={order?.orderId} onChange={(event) => onChoose(event.target.value)}>
      {orders.map(({ orderId }) => (
        <option key={orderId} value={orderId}>
          {shortenId(orderId)}
        </option>
      ))}
    </select>
  ) : (
    order && <code title={order.orderId}>{shortenId(order.orderId)}</code>
  )

const Facts = ({ order }: { order: OrderRecord }) => (
  <dl className="facts">
    {(['phase', 'quote', 'payment'] as const).map((field) => (
      <div key={field}>
        <dt>{field}</dt>
        <dd>{order[field]}</dd>
      </div>
    ))}
    <div>
      <dt>step</dt>
      <dd>{order.step.status}</dd>
    </div>
  </dl>
)

/** Renders a `<div>`: the panel itself, a dialog beside the page. */
export const OpenPanel = (props: Props): ReactElement => {
  const { id, devtools, snapshot, order, onClose, getAccount, ref } = props
  const [selected, setSelected] = useState<TabName>('timeline')
  const titleId = useId()
  // A call without an order, such as the one that creates it, shows for all orders.
  const isAbout = ({ orderId }: { orderId?: string | undefined }): boolean =>
    !order || orderId === undefined || orderId === order.orderId
  const none = <p className="empty">There is no order on this page yet.</p>
  const tabs: Tab<TabName>[] = [
    {
      name: 'timeline',
      title: 'Timeline',
      content: <TimelineTab records={snapshot.timeline.filter(isAbout)} />,
    },
    {
      name: 'requests',
      title: 'Requests',
      content: <RequestsTab records={snapshot.calls.filter(isAbout)} />,
    },
    { name: 'payment', title: 'Payment', content: order ? <PaymentTab order={order} /> : none },
    {
      name: 'force',
      title: 'Force',
      content: order ? (
        <ForceTab devtools={devtools} order={order} sandbox={snapshot.sandbox} getAccount={getAccount} />
      ) : (
        none
      ),
    },
  ]
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    // The app's own dialog must not close with it.
    event.stopPropagation()
    onClose()
  }
  return (
    <div role="dialog" id={id} className="panel" aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <header className="head">
        <Mark />
        <h2 id={titleId}>
          Kassa<span> devtools</span>
        </h2>
        <div className="order">
          <Choice {...props} />
        </div>
        <button type="button" className="icon" aria-label="Close" onClick={onClose}>
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M2 2l10 10M12 2L2 12" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
          </svg>
        </button>
      </header>
      {order && <Facts order={order} />}
      {order?.forced && (
        <div className="forced">
          <span>
            Forced: <code>{order.forced}</code>
          </span>
          <button type="button" className="button" onClick={() => devtools.release(order.orderId)}>
            Release
          </button>
        </div>
      )}
      <Tabs<TabName> label="Devtools" tabs={tabs} selected={selected} onSelect={setSelected} ref={ref} />
    </div>
  )
}
