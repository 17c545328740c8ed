import { useQuery } from '@tanstack/react-query'
import { createPaymentLink } from 'kassa/api'
import { type Collection, noLimit, type PaymentLink } from 'kassa/schema'
import { useState } from 'react'
import { client, useOnce } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { soldCollectionsQuery } from '../api/paymentLinks.js'
import { useSession } from '../api/session.js'
import { Button } from '../components/Button.js'
import { Dialog } from '../components/Dialog.js'
import { Field, OptionalField } from '../components/Field.js'
import { Form } from '../components/FormDialog.js'
import { Loaded } from '../components/Loaded.js'
import { Select } from '../components/Select.js'
import { Shown } from '../components/Shown.js'
import { nameCollection } from '../lib/describeCollection.js'
import { readFields } from '../lib/readFields.js'
import { t } from '../messages/index.js'

const s = t.paymentLinks

type Fields = {
  collectionId: string
  title: string
  maxQuantity: string | null
  maxUses: string | null
  expiresAt: string | null
  successUrl: string
}

const readBody = (namespace: string, fields: Fields) =>
  readFields((read) => {
    const maxUses = read.limit('maxUses', fields.maxUses)
    const maxQuantity =
      fields.maxQuantity === null ? undefined : read.count('maxQuantity', fields.maxQuantity, s.fixed)
    const expiresAt =
      fields.expiresAt === null ? undefined : read.time('expiresAt', fields.expiresAt, s.noEnd)
    const title = fields.title.trim()
    const successUrl = fields.successUrl.trim()
    return {
      lineItems: { collectionLocator: `${namespace}:${fields.collectionId}` },
      ...(title && { title }),
      ...(maxQuantity !== undefined && { maxQuantity }),
      ...(maxUses !== noLimit && { maxUses }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(successUrl && { successUrl }),
    }
  })

type FormProps = {
  collections: readonly Collection[]
  onMade(link: PaymentLink): void
  onCancel(): void
}

const LinkForm = ({ collections, onMade, onCancel }: FormProps) => {
  const [fields, setFields] = useState<Fields>({
    collectionId: collections[0]?.id ?? '',
    title: '',
    maxQuantity: null,
    maxUses: null,
    expiresAt: null,
    successUrl: '',
  })
  const set = (change: Partial<Fields>) => setFields((known) => ({ ...known, ...change }))
  const readAgain = useReadAgain()
  const once = useOnce()
  const { namespace } = useSession()
  const create = async () => {
    const body = readBody(namespace, fields)
    onMade(await once(body, (idempotencyKey) => createPaymentLink(client, { body, idempotencyKey })))
    await readAgain('payment-links')
  }
  return (
    <Form action={s.create} run={create} onCancel={onCancel}>
      <Select
        label={s.collection}
        value={fields.collectionId}
        options={collections.map((each) => [each.id, nameCollection(each)])}
        onValue={(collectionId) => set({ collectionId })}
      />
      <Field
        label={s.linkTitle}
        hint={s.titleText}
        name="title"
        value={fields.title}
        onValue={(title) => set({ title })}
      />
      <OptionalField
        label={s.maxQuantity}
        name="maxQuantity"
        none={s.fixed}
        inputMode="numeric"
        value={fields.maxQuantity}
        onValue={(maxQuantity) => set({ maxQuantity })}
      />
      <OptionalField
        label={s.maxUses}
        name="maxUses"
        none={t.noLimit}
        inputMode="numeric"
        value={fields.maxUses}
        onValue={(maxUses) => set({ maxUses })}
      />
      <OptionalField
        label={s.expiresAt}
        name="expiresAt"
        none={s.noEnd}
        type="datetime-local"
        value={fields.expiresAt}
        onValue={(expiresAt) => set({ expiresAt })}
      />
      <Field
        label={s.successUrl}
        hint={s.successText}
        name="successUrl"
        type="url"
        value={fields.successUrl}
        onValue={(successUrl) => set({ successUrl })}
      />
    </Form>
  )
}

const Content = ({ onMade, onCancel }: Omit<FormProps, 'collections'>) => {
  const query = useQuery(soldCollectionsQuery)
  return (
    <Loaded query={query}>
      {(collections) =>
        collections.length ? (
          <LinkForm collections={collections} onMade={onMade} onCancel={onCancel} />
        ) : (
          <p className="quiet">{s.nothing}</p>
        )
      }
    </Loaded>
  )
}

/** Renders a `<button>` that creates a payment link, and shows it. */
export const CreateLinkDialog = () => {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<PaymentLink>()
  const close = () => setOpen(false)
  const open = () => {
    setMade(undefined)
    setOpen(true)
  }
  return (
    <>
      <Button kind="primary" onClick={open}>
        {s.create}
      </Button>
      <Dialog
        title={made ? s.created : s.createTitle}
        isOpen={isOpen}
        isStored={made !== undefined}
        onClose={close}
      >
        {made ? (
          <Shown value={made.url} label={s.link} text={s.createdText} onDone={close} />
        ) : (
          <Content onMade={setMade} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}
