import type { AnyKassaError } from '../../../errors/index.js'
import type { Messages } from '../../../locales/Messages.js'
import { describeError } from '../progress/describeError.js'
import { checkField, type FieldRules } from './checkField.js'
import { type CheckoutFieldName, isFieldName } from './fields.js'

// The fields that a buyer types into a form. The rest of a change is selected, not typed.
const written = /(?<![\w.])(?:recipient|payment\.(?:receiptEmail|refundAddress)|promotionCode)[\w.]*(?=:)/g

/**
 * Returns the fields that a refused change is about, by their paths, such as
 * `recipient.physicalAddress.postalCode`. Their form shows the error; `Checkout.Error` shows the rest.
 */
const getRefusedFields = ({ code, message }: AnyKassaError): readonly string[] =>
  code === 'api.bad-request' ? (message.match(written) ?? []) : []

/** The errors of a form's fields, in the buyer's language. */
export type WrongFields = { [Name in CheckoutFieldName]?: string | undefined }

/** Returns the text of a form's field; empty if there is no such field. */
export const getText = (form: HTMLFormElement, name: CheckoutFieldName): string =>
  String(new FormData(form).get(name) ?? '').trim()

/** Returns the names of a form's fields, in their order. */
const listFields = (form: HTMLFormElement): CheckoutFieldName[] =>
  [...new FormData(form).keys()].filter(isFieldName)

/** Checks all fields of a form. */
export const checkForm = (form: HTMLFormElement, rules: FieldRules): WrongFields => {
  const wrong: WrongFields = {}
  const country = getText(form, 'country')
  for (const name of listFields(form)) {
    const error = checkField(name, getText(form, name), { ...rules, country })
    if (error) wrong[name] = error
  }
  return wrong
}

/** Finds the fields of a form that the service refused. */
export const readRefusal = (form: HTMLFormElement, error: AnyKassaError, messages: Messages): WrongFields => {
  const names = listFields(form)
  const wrong: WrongFields = {}
  for (const path of getRefusedFields(error)) {
    // An error about none of this form's fields shows at the first field, so that it is visible.
    const name = names.findLast((known) => path.split('.').includes(known)) ?? names[0]
    const isCode = name === 'promotionCode' && path === name
    if (name) wrong[name] = isCode ? messages.promotionWrong : describeError(error, messages)
  }
  return wrong
}
