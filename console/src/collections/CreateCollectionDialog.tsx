import { useNavigate } from '@tanstack/react-router'
import { createCollection } from 'kassa/api'
import type { CreateCollectionBody } from 'kassa/schema'
import { useState } from 'react'
import { storePicture } from '../api/collections.js'
import { client, useOnce } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { useSession } from '../api/session.js'
import { Field, OptionalField } from '../components/Field.js'
import { FormDialog } from '../components/FormDialog.js'
import { Select } from '../components/Select.js'
import { useToast } from '../components/Toast.js'
import { formatChain } from '../lib/format.js'
import { readFields } from '../lib/readFields.js'
import { t } from '../messages/index.js'
import { PictureFields } from './PictureFields.js'

const s = t.collections

type Fields = {
  name: string
  symbol: string
  description: string
  imageUrl: string
  currency: string
  price: string | null
  supplyLimit: string | null
}

const blank: Fields = {
  name: '',
  symbol: '',
  description: '',
  imageUrl: '',
  currency: '',
  price: null,
  supplyLimit: null,
}

/** Renders a `<button>` that creates a collection and leads to its page. */
export const CreateCollectionDialog = () => {
  const { chains } = useSession()
  const [fields, setFields] = useState(blank)
  const [file, setFile] = useState<File>()
  const [chain, setChain] = useState(chains[0] ?? '')
  const say = useToast()
  const readAgain = useReadAgain()
  const navigate = useNavigate()
  const open = () => {
    setFields(blank)
    setFile(undefined)
  }
  const once = useOnce()
  const set =
    <Name extends keyof Fields>(name: Name) =>
    (value: Fields[Name]) =>
      setFields((known) => ({ ...known, [name]: value }))
  const create = async () => {
    const { name, symbol, description, currency } = fields
    const { price, supplyLimit } = readFields((read) => ({
      price: fields.price === null ? null : read.amount('price', fields.price, { none: s.notForSale }),
      supplyLimit:
        fields.supplyLimit === null ? null : read.count('supplyLimit', fields.supplyLimit, t.noLimit),
    }))
    const imageUrl = await storePicture(fields.imageUrl, file)
    const body = {
      chain: chain as CreateCollectionBody['chain'],
      metadata: {
        name: name.trim(),
        ...(symbol.trim() && { symbol: symbol.trim() }),
        ...(description.trim() && { description: description.trim() }),
        ...(imageUrl && { imageUrl }),
      },
      ...(price !== null && {
        payments: {
          price,
          ...(currency.trim() && { currency: currency.trim().toLowerCase() }),
        },
      }),
      ...(supplyLimit !== null && { supplyLimit }),
    }
    const { id } = await once(body, (idempotencyKey) => createCollection(client, { body, idempotencyKey }))
    say(s.created(body.metadata.name))
    await Promise.all([
      readAgain('collections'),
      navigate({ to: '/collections/$collectionId', params: { collectionId: id } }),
    ])
  }
  return (
    <FormDialog
      label={s.create}
      kind="primary"
      title={s.create}
      text={s.createText}
      action={s.create}
      onOpen={open}
      run={create}
    >
      <Field label={s.name} name="name" value={fields.name} onValue={set('name')} />
      <Field label={s.symbol} name="symbol" value={fields.symbol} onValue={set('symbol')} />
      <Field
        label={s.description}
        name="description"
        value={fields.description}
        onValue={set('description')}
      />
      <Select
        label={s.chain}
        value={chain}
        options={chains.map((each) => [each, formatChain(each)])}
        onValue={setChain}
      />
      <PictureFields url={fields.imageUrl} onUrl={set('imageUrl')} onFile={setFile} />
      <OptionalField
        name="price"
        label={s.price}
        hint={s.priceText}
        none={s.notForSale}
        inputMode="decimal"
        value={fields.price}
        onValue={set('price')}
      />
      <Field
        label={s.currency}
        name="currency"
        hint={s.currencyText}
        value={fields.currency}
        onValue={set('currency')}
      />
      <OptionalField
        name="supplyLimit"
        label={s.supplyLimit}
        none={t.noLimit}
        inputMode="numeric"
        value={fields.supplyLimit}
        onValue={set('supplyLimit')}
      />
    </FormDialog>
  )
}
