import { useNavigate } from '@tanstack/react-router'
import { createCollection } from 'kassa/api'
import type { CreateCollectionBody } from 'kassa/schema'
import { useState } from 'react'
import { storePicture } from '../api/collections.js'
import { client } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { useSession } from '../api/session.js'
import { Field } from '../components/Field.js'
import { FormDialog } from '../components/FormDialog.js'
import { Select } from '../components/Select.js'
import { useToast } from '../components/Toast.js'
import { formatChain } from '../lib/format.js'
import { t } from '../messages/index.js'
import { PictureFields } from './PictureFields.js'

const s = t.collections

const blank = {
  ...{ name: '', symbol: '', description: '', imageUrl: '', price: '', currency: '', supplyLimit: '' },
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
  const set = (name: keyof typeof blank) => (value: string) =>
    setFields((known) => ({ ...known, [name]: value }))
  const create = async (idempotencyKey: string) => {
    const { name, symbol, description, price, currency, supplyLimit } = fields
    const imageUrl = await storePicture(fields.imageUrl, file)
    const body = {
      chain: chain as CreateCollectionBody['chain'],
      metadata: {
        name: name.trim(),
        ...(symbol.trim() && { symbol: symbol.trim() }),
        ...(description.trim() && { description: description.trim() }),
        ...(imageUrl && { imageUrl }),
      },
      ...(price.trim() && {
        payments: {
          price: price.trim(),
          ...(currency.trim() && { currency: currency.trim().toLowerCase() }),
        },
      }),
      ...(supplyLimit.trim() && { supplyLimit: Number(supplyLimit) }),
    }
    const { id } = await createCollection(client, { body, idempotencyKey })
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
      <Field label={s.name} value={fields.name} onValue={set('name')} />
      <Field label={s.symbol} value={fields.symbol} onValue={set('symbol')} />
      <Field label={s.description} value={fields.description} onValue={set('description')} />
      <Select
        label={s.chain}
        value={chain}
        options={chains.map((each) => [each, formatChain(each)])}
        onValue={setChain}
      />
      <PictureFields url={fields.imageUrl} onUrl={set('imageUrl')} onFile={setFile} />
      <Field
        label={s.price}
        hint={s.priceText}
        inputMode="decimal"
        value={fields.price}
        onValue={set('price')}
      />
      <Field label={s.currency} hint={s.currencyText} value={fields.currency} onValue={set('currency')} />
      <Field
        label={s.supplyLimit}
        inputMode="numeric"
        value={fields.supplyLimit}
        onValue={set('supplyLimit')}
      />
    </FormDialog>
  )
}
