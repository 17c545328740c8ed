import { useEffect, useState } from 'react'
import { Checkout } from '../../../src/index.js'
import { Composed } from '../../../stories/checkout/examples/Composed.js'
import { Minimal } from '../../../stories/checkout/examples/Minimal.js'
import { buyer } from '../../../stories/fixtures/build.js'
import { type MomentName, momentNames, moments } from '../../../stories/fixtures/moments.js'
import { Wallet } from '../../../stories/fixtures/wallet.js'

/** What follows when the buyer presses the button, in the order of {@link momentNames}. */
const payment: readonly MomentName[] = [
  'Checking',
  'In the wallet',
  'Broadcast',
  'Known to the network',
  'In a block',
  'Being delivered',
  'Partly delivered',
  'Delivered',
]

const momentMs = 1_200

const checkouts = { panel: Checkout.Panel, minimal: Minimal, composed: Composed }

/** How the parts are laid out. */
export type Layout = keyof typeof checkouts

/** One purchase that the reader can pay, or set to any moment. */
export function LivePurchase({ layout }: { layout: Layout }) {
  const [moment, setMoment] = useState<MomentName>('Ready to pay')
  const [isPaying, setIsPaying] = useState(false)
  useEffect(() => {
    const next = isPaying ? payment[payment.indexOf(moment) + 1] : undefined
    if (!next) return
    const timer = setTimeout(() => setMoment(next), momentMs)
    return () => clearTimeout(timer)
  }, [moment, isPaying])
  const Shown = checkouts[layout]
  const move = (to: MomentName, isPaid: boolean): void => {
    setMoment(to)
    setIsPaying(isPaid)
  }
  const value = {
    ...moments[moment],
    pay: () => move('Checking', true),
    refresh: () => move('Ready to pay', false),
    edit: () => move('Ready to pay', false),
  }
  return (
    <>
      <label className="moment">
        Moment
        <select value={moment} onChange={({ target }) => move(target.value as MomentName, false)}>
          {momentNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <Wallet account={buyer} balance={10n ** 18n}>
        <Shown value={value} />
      </Wallet>
    </>
  )
}
