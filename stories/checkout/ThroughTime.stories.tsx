import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutValue } from 'kassa'
import { useEffect, useState } from 'react'
import { useArgs } from 'storybook/preview-api'
import { expect, fireEvent, within } from 'storybook/test'
import { buyer } from '../fixtures/build.js'
import { type MomentName, momentNames, moments } from '../fixtures/moments.js'
import { Wallet } from '../fixtures/wallet.js'
import { Composed } from './examples/Composed.js'

type Position = {
  /** Where the purchase stands. */
  moment: MomentName
  /** Whether the time advances automatically. */
  isPlaying: boolean
}

type ThroughTimeProps = Position & {
  /** How long a moment lasts, in seconds. */
  secondsEach: number
  checkouts: Record<MomentName, CheckoutValue>
  /** Hears where it came to rest. */
  onMove(position: Position): void
}

/** A position that the caller can set and the component can move. The caller receives every change. */
const usePosition = ({ moment, isPlaying, onMove }: ThroughTimeProps) => {
  const [position, setPosition] = useState<Position>({ moment, isPlaying })
  useEffect(() => setPosition({ moment, isPlaying }), [moment, isPlaying])
  useEffect(() => {
    const timer = setTimeout(() => onMove(position), 400)
    return () => clearTimeout(timer)
  }, [position, onMove])
  return [position, setPosition] as const
}

/** One purchase, and the means to move it through time. */
function ThroughTime(props: ThroughTimeProps) {
  const [{ moment, isPlaying }, move] = usePosition(props)
  const at = momentNames.indexOf(moment)
  const next = momentNames[at + 1]
  useEffect(() => {
    if (!isPlaying) return
    const timer = setTimeout(
      () => move({ moment: next ?? moment, isPlaying: momentNames[at + 2] !== undefined }),
      props.secondsEach * 1000,
    )
    return () => clearTimeout(timer)
  })
  return (
    <>
      <Composed value={props.checkouts[moment]} />
      <section className="player" aria-label="Time">
        <button
          type="button"
          onClick={() => move({ moment: next ? moment : 'Loading', isPlaying: !isPlaying })}
        >
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={moment}
          min={0}
          max={momentNames.length - 1}
          value={at}
          onChange={({ target }) =>
            move({ moment: momentNames[Number(target.value)] ?? moment, isPlaying: false })
          }
        />
        <small>{moment}</small>
      </section>
    </>
  )
}

const meta = {
  title: 'Checkout/Through time',
  component: ThroughTime,
  tags: ['!autodocs'],
  parameters: { controls: { disable: false, include: ['moment', 'isPlaying', 'secondsEach'] } },
  argTypes: {
    moment: { control: 'select', options: momentNames },
    secondsEach: { control: { type: 'range', min: 0.25, max: 5, step: 0.25 } },
  },
  args: { moment: 'Ready to pay', isPlaying: false, secondsEach: 1.5, checkouts: moments, onMove: () => {} },
  render: function Driven(args) {
    const [, setArgs] = useArgs<ThroughTimeProps>()
    return <ThroughTime {...args} onMove={setArgs} />
  },
} satisfies Meta<typeof ThroughTime>

export default meta

type Story = StoryObj<typeof meta>

const phases: { title: string; text: string; moment: MomentName }[] = [
  { title: 'Quote', text: 'What it costs, and how long the price is locked.', moment: 'Ready to pay' },
  { title: 'Pay', text: 'The buyer confirms in their own wallet.', moment: 'In the wallet' },
  { title: 'Confirming', text: 'The payment is on its way into a block.', moment: 'Known to the network' },
  { title: 'Delivered', text: 'The receipt names every token.', moment: 'Delivered' },
]

/** The four phases of a purchase side by side, each a live `Checkout.Panel`. */
export const Phases: Story = {
  parameters: { controls: { disable: true } },
  render: ({ checkouts }) => (
    <Wallet account={buyer}>
      <ol className="phases">
        {phases.map(({ title, text, moment }) => (
          <li key={title}>
            <strong>{title}</strong>
            <p>{text}</p>
            {/* A picture: nothing in it is reached by keyboard. */}
            <div className="miniature" inert>
              <Checkout.Panel value={checkouts[moment]} />
            </div>
          </li>
        ))}
      </ol>
    </Wallet>
  ),
}

/** Drag the moment, or let it play; the controls below do the same, in any language. */
export const OnePurchase: Story = {}

export const MovedByHand: Story = {
  play: async ({ canvasElement }) => {
    const { findByRole, getByRole } = within(canvasElement)
    await expect(getByRole('button', { name: 'Pay 0.042\u00a0ETH' })).toBeVisible()
    const slider = getByRole('slider', { name: 'Moment' })
    fireEvent.change(slider, { target: { value: momentNames.indexOf('Delivered') } })
    await findByRole('region', { name: 'Receipt' })
    fireEvent.change(slider, { target: { value: momentNames.indexOf('In the wallet') } })
    await findByRole('button', { name: 'Confirm in your wallet…' })
    fireEvent.change(slider, { target: { value: momentNames.indexOf('Ready to pay') } })
    await findByRole('button', { name: 'Pay 0.042\u00a0ETH' })
  },
}

/** Plays automatically from the first answer to the receipt. */
export const Playing: Story = {
  args: { moment: 'Loading', isPlaying: true, secondsEach: 0.25 },
  play: async ({ canvasElement }) => {
    await within(canvasElement).findByRole('region', { name: 'Receipt' })
  },
}
