import type { Meta, StoryObj } from '@storybook/react-vite'
import { apiError } from '../../src/errors/index.js'
import { createCheckout } from '../fixtures/checkout.js'
import { momentControl } from '../fixtures/moments.js'
import { orders } from '../fixtures/orders.js'
import { type StepName, steps } from '../fixtures/steps.js'
import { Composed } from './examples/Composed.js'

const at = (step: StepName) => createCheckout(orders.awaitingPaymentNative, { step: steps[step] })

const meta = {
  title: 'Checkout/Pay steps',
  component: Composed,
  argTypes: { value: momentControl },
  args: { value: at('idle') },
} satisfies Meta<typeof Composed>

export default meta

type Story = StoryObj<typeof meta>

export const Idle: Story = { args: { value: at('idle') } }

export const Connecting: Story = { args: { value: at('connecting') } }

export const SwitchingChain: Story = { args: { value: at('switchingChain') } }

export const Checking: Story = { args: { value: at('checking') } }

export const AwaitingSignature: Story = { args: { value: at('awaitingSignature') } }

export const Broadcast: Story = { args: { value: at('broadcast') } }

export const Confirming: Story = { args: { value: at('confirming') } }

export const Paid: Story = { args: { value: at('paid') } }

export const Uncertain: Story = { args: { value: at('uncertain') } }

/** One of many; the others are under "Pay errors". */
export const Failed: Story = { args: { value: at('rejected') } }

export const ServiceAway: Story = {
  args: {
    value: createCheckout(orders.awaitingPaymentNative, {
      error: apiError('api.unreachable', { url: 'https://shop.example/api' }),
    }),
  },
}

export const NewPriceOnItsWay: Story = {
  args: { value: createCheckout(orders.expired, { isRefreshing: true }) },
}
