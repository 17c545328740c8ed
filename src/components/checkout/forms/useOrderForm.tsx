'use client'

import {
  type FormEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { isChangeable } from '../../../order/payment.js'
import type { EditOrderBody, Order } from '../../../schema/index.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'
import { checkField, type FieldRules } from './checkField.js'
import { checkForm, getText, readRefusal, type WrongFields } from './checkForm.js'
import { FormContext } from './FormContext.js'
import { type CheckoutFieldName, isFieldRequired } from './fields.js'
import { isEditable } from './isEditable.js'
import { getRecipient } from './recipient.js'
import { CheckoutSubmit } from './Submit.js'

/** State of a form that changes the order. */
export type OrderFormState = {
  /** Whether a change of the order is in progress. */
  isSaving: boolean
}

/** Props of a form that changes the order. */
export type OrderFormProps = PartProps<'form', OrderFormState> & {
  /** Whether the form shows while the order can be changed. By default only while the order asks for its fields. */
  isOpen?: boolean | undefined
}

/** The details of a form. The form is named after them, and so are the stage and the sentence that ask for them. */
export type OrderFormKind = 'Recipient' | 'Address' | 'Email' | 'Promotion' | 'Refund'

/** Creates an edit of an order from the form's fields. */
export type ToBody = (get: (name: CheckoutFieldName) => string, order: Order | undefined) => EditOrderBody

const select = (value: CheckoutValue) => ({
  ...getRecipient(value.order),
  itemChain: value.order?.lineItems[0]?.chain,
  refundChain: value.order?.payment.refundHeld?.chain,
  code: value.order?.quote.promotion?.code,
  stage: getCheckoutStage(value),
  isOpen: value.order !== undefined && isChangeable(value.order),
  isSaving: Boolean(value.isEditing),
  error: value.editError,
  messages: getMessages(value),
})

/** What a form contains, and the change that it makes. */
type Contents = {
  /** The default fields, unless the caller passes others. */
  fields: ReactNode
  toBody: ToBody
  /** The buyer's own wallet, to offer where one is asked for. */
  ownWallet?: string | undefined
}

type FormRef = RefObject<HTMLFormElement | null>

type Checked = { wrong: WrongFields; tries: number }

/** The fields that are wrong. After the first try to send them, each is checked again as it is written. */
const useChecks = (form: FormRef, rules: FieldRules) => {
  const [country, setCountry] = useState<string>()
  const [{ wrong, tries }, setChecked] = useState<Checked>({ wrong: {}, tries: 0 })
  useEffect(() => {
    if (tries) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [tries, form])

  const recheck = (field: CheckoutFieldName, text: string): void => {
    const chosen = field === 'country' ? text : country
    if (field === 'country') setCountry(text)
    if (!tries) return
    const next = { ...wrong, [field]: checkField(field, text, { ...rules, country: chosen }) }
    // A country without postal codes needs none.
    if (!isFieldRequired('postalCode', chosen) && form.current && !getText(form.current, 'postalCode')) {
      next.postalCode = undefined
    }
    setChecked({ wrong: next, tries })
  }
  return { wrong, country, setChecked, recheck }
}

/** A new try to send a form, with the fields that are wrong in it. */
const retry =
  (wrong: WrongFields) =>
  ({ tries }: Checked): Checked => ({ wrong, tries: tries + 1 })

/** Renders a `<form>` that changes the order with the buyer's input. */
export const useOrderForm = (
  kind: OrderFormKind,
  { isOpen, ...props }: OrderFormProps,
  { fields, toBody, ownWallet }: Contents,
): ReactElement | null => {
  const name = `${kind}Form`
  const subject = kind.toLowerCase()
  const store = useCheckoutStore(name)
  const order = useCheckout(name, select)
  const { isSaving, error, messages, email, walletAddress = ownWallet } = order
  const isRefund = kind === 'Refund'
  const rules = { messages, chain: isRefund ? order.refundChain : order.itemChain }
  const form = useRef<HTMLFormElement>(null)
  const isSent = useRef(false)
  const { wrong, country, setChecked, recheck } = useChecks(form, rules)

  // Reacts only to this form's own change, because another part may change the order, too.
  useEffect(() => {
    if (isSaving || !isSent.current) return
    isSent.current = false
    const refused = form.current && error ? readRefusal(form.current, error, getMessages(store.get())) : {}
    const isRefused = Object.keys(refused).length > 0
    store.set({ ...store.get(), formError: isRefused ? error : undefined })
    if (isRefused) setChecked(retry(refused))
  }, [isSaving, error, store, setChecked])

  // `Checkout.Error` shows the errors that no visible form shows.
  const isWanted = isOpen ?? order.stage === `needs-${subject}`
  const isShown = order.stage !== 'loading' && isWanted && (isRefund || order.isOpen)
  useEffect(() => {
    if (isShown) return () => store.set({ ...store.get(), formError: undefined })
  }, [isShown, store])

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const value = store.get()
    // A refund is due only after the payment, when nothing else can be changed.
    if (isRefund ? value.isEditing : !isEditable(value)) return
    const written = event.currentTarget
    const found = checkForm(written, rules)
    setChecked(retry(found))
    if (Object.keys(found).length) return
    isSent.current = true
    store.set({ ...value, formError: 'sent' })
    value.edit?.(toBody((field) => getText(written, field), value.order))
  }

  const element = useRender(
    'form',
    `${subject}-form`,
    props,
    { isSaving },
    {
      'aria-label': kind === 'Promotion' ? messages.promotionCode : messages[`needs${kind}`],
      'aria-busy': isSaving || undefined,
      noValidate: true,
      ref: form,
      onSubmit: submit,
      children: (
        <>
          {fields} <CheckoutSubmit />
        </>
      ),
    },
  )
  if (!isShown) return null
  const offered = {
    recipient: email ?? walletAddress,
    email,
    walletAddress,
    receiptEmail: email,
    promotionCode: order.code,
  }
  // A change builds on the current order, so the form needs the order to have loaded.
  const save = isRefund ? 'sendRefund' : 'save'
  return <FormContext value={{ wrong, offered, country, recheck, save }}>{element}</FormContext>
}
