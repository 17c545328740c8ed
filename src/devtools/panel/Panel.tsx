import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Mark } from './Mark.js'
import type { PanelProps } from './OpenPanel.js'
import { OpenPanel } from './OpenPanel.js'

/** Renders a `<div>` in a corner of the page: a button, or the panel it opens. */
export const Panel = (props: PanelProps): ReactElement => {
  const { devtools, orderId, corner, theme, getAccount } = props
  const snapshot = useSyncExternalStore(devtools.subscribe, devtools.getSnapshot)
  const [isOpen, setIsOpen] = useState(props.isOpen)
  const [chosen, setChosen] = useState<string>()
  const focused = useRef<HTMLButtonElement>(null)
  const isToggled = useRef(false)
  useEffect(() => {
    if (isOpen) void devtools.ask()
    if (isToggled.current) focused.current?.focus()
  }, [isOpen, devtools])
  const toggle = (): void => {
    isToggled.current = true
    setIsOpen(!isOpen)
  }
  const wanted = orderId ?? chosen
  const orders = snapshot.orders.filter((order) => orderId === undefined || order.orderId === orderId)
  const order = orders.find((order) => order.orderId === wanted) ?? orders.at(-1)
  const isForced = orders.some(({ forced }) => forced !== undefined)
  return (
    <div className="devtools" data-corner={corner} data-theme={theme}>
      {isOpen ? (
        <OpenPanel
          devtools={devtools}
          snapshot={snapshot}
          orders={orders}
          order={order}
          onChoose={setChosen}
          onClose={toggle}
          getAccount={getAccount}
          ref={focused}
        />
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
