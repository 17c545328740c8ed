import {
  type CSSProperties,
  type ReactElement,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Layout, readLayout, reserveRoom, storeLayout } from './layout.js'
import { Mark } from './Mark.js'
import type { PanelProps } from './OpenPanel.js'
import { OpenPanel } from './OpenPanel.js'
import { Resizer } from './Resizer.js'

/** Renders a `<div>`: a button in a corner of the page, or the panel that it opens at the page's side. */
export const Panel = (props: PanelProps): ReactElement => {
  const { devtools, orderId, corner, side, theme, getAccount } = props
  const snapshot = useSyncExternalStore(devtools.subscribe, devtools.getSnapshot)
  const [layout, setLayout] = useState(() => readLayout(props.isOpen))
  const { isOpen } = layout
  const sizePx = layout[side]
  const [chosen, setChosen] = useState<string>()
  const id = useId()
  const focused = useRef<HTMLButtonElement>(null)
  const isToggled = useRef(false)
  useEffect(() => {
    if (isOpen) void devtools.ask()
    if (isToggled.current) focused.current?.focus()
  }, [isOpen, devtools])
  useEffect(() => (isOpen ? reserveRoom(side, sizePx) : undefined), [isOpen, side, sizePx])
  const change = (changes: Partial<Layout>): void => {
    const next = { ...layout, ...changes }
    setLayout(next)
    storeLayout(next)
  }
  const toggle = (): void => {
    isToggled.current = true
    change({ isOpen: !isOpen })
  }
  const wanted = orderId ?? chosen
  const orders = snapshot.orders.filter((order) => orderId === undefined || order.orderId === orderId)
  const order = orders.find((order) => order.orderId === wanted) ?? orders.at(-1)
  const isForced = orders.some(({ forced }) => forced !== undefined)
  return (
    <div
      className={isOpen ? 'devtools open' : 'devtools'}
      data-corner={corner}
      data-side={side}
      data-theme={theme}
      // A cast on purpose: the types know no custom properties.
      style={{ '--size': `${sizePx}px` } as CSSProperties}
    >
      {isOpen ? (
        <>
          <Resizer
            side={side}
            sizePx={sizePx}
            controls={id}
            onResize={(wanted) => change({ [side]: wanted })}
          />
          <OpenPanel
            id={id}
            devtools={devtools}
            snapshot={snapshot}
            orders={orders}
            order={order}
            onChoose={setChosen}
            onClose={toggle}
            getAccount={getAccount}
            ref={focused}
          />
        </>
      ) : (
        <button
          ref={focused}
          type="button"
          className="toggle"
          aria-expanded={false}
          data-forced={isForced ? '' : undefined}
          onClick={toggle}
        >
          <Mark />
          <span className="hidden">Checkout devtools: </span>
          {isForced ? 'forced' : (order?.phase ?? 'Kassa')}
        </button>
      )}
    </div>
  )
}
