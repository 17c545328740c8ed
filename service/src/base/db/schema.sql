create table actions (
  id uuid not null,
  project_id uuid not null,
  action text not null,
  status text not null,
  data jsonb not null,
  resource text not null,
  started_at timestamp(3) with time zone not null,
  completed_at timestamp(3) with time zone
);
create table adopted_writes (
  chain text not null,
  reference text not null,
  kind text not null,
  tx_id text not null,
  order_reference text,
  currency text,
  units text,
  recipient text,
  contract_address text,
  token_id bigint
);
create table allow_list_addresses (
  list_id uuid not null,
  address text not null
);
create table api_keys (
  id uuid not null default gen_random_uuid(),
  project_id uuid not null,
  kind text not null,
  secret_hash text not null,
  scopes jsonb not null,
  origins jsonb not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  name text,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  maker_id uuid
);
create table audit_entries (
  id uuid not null,
  project_id uuid not null,
  account_id uuid,
  actor text not null,
  operation text not null,
  resource text not null,
  outcome text not null,
  request_id text,
  ip_address text,
  created_at timestamp(3) with time zone not null
);
create table authorizations (
  id uuid not null,
  order_id uuid not null,
  project_id uuid not null,
  chain text not null,
  currency text not null,
  units text not null,
  payer text not null,
  content text not null,
  signed jsonb not null,
  valid_before timestamp with time zone not null,
  status text not null,
  attempt integer not null default 1,
  tx_id text,
  reason text,
  failure text,
  created_at timestamp(3) with time zone not null,
  started_at timestamp(3) with time zone not null
);
create table chain_accounts (
  id text not null,
  next_nonce integer not null
);
create table chain_cursors (
  chain text not null,
  block_number bigint,
  block_hash text,
  updated_at timestamp with time zone not null,
  late_block bigint,
  late_at timestamp with time zone
);
create table chain_refusals (
  key text not null,
  chain text not null,
  reason text not null,
  calldata text,
  created_at timestamp with time zone not null default now()
);
create table chain_transactions (
  key text not null,
  chain text not null,
  sender text not null,
  nonce integer not null,
  signed_transaction text not null,
  tx_id text not null,
  other_tx_ids jsonb,
  status text not null,
  block_number bigint,
  revert_reason text,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone
);
create table collections (
  project_id uuid not null,
  id text not null,
  chain text not null,
  name text not null,
  description text not null,
  image_url text not null,
  symbol text not null,
  fungibility text not null,
  is_transferable boolean not null,
  is_subscription boolean not null default false,
  supply_limit integer,
  price text,
  price_currency text,
  payment_recipient text,
  contract_uri text,
  allocated_count integer not null default 0,
  next_token_id bigint not null,
  contract_tx_id text,
  revision integer not null default 0,
  chain_revision integer not null default 0,
  is_gathering boolean not null default false,
  request_hash text,
  action_id uuid,
  created_at timestamp(3) with time zone not null,
  royalty_basis_points integer not null default 0,
  requires jsonb not null default '[]'::jsonb,
  payment_currencies text[],
  reserved_count integer not null default 0,
  sale jsonb
);
create table console_accounts (
  id uuid not null,
  project_id uuid not null,
  email text,
  role text not null,
  created_at timestamp(3) with time zone not null
);
create table console_passkeys (
  id text not null,
  account_id uuid not null,
  public_key bytea not null,
  counter bigint not null,
  transports jsonb not null,
  created_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone
);
create table console_sessions (
  id uuid not null,
  token_hash text not null,
  account_id uuid not null,
  created_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  ip_address text,
  user_agent text,
  confirmed_at timestamp(3) with time zone
);
create table console_tokens (
  hash text not null,
  kind text not null,
  project_id uuid,
  role text,
  email text,
  account_id uuid,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  inviter_id uuid,
  network_hash text
);
create table files (
  cid text not null,
  content_type text not null,
  bytes bytea not null,
  pinned_at timestamp with time zone,
  created_at timestamp with time zone not null default now()
);
create table hint_cursors (
  chain text not null,
  pass text not null,
  hinted_at timestamp with time zone not null,
  order_id uuid not null
);
create table idempotency_keys (
  id text not null,
  body_hash text not null,
  claim uuid not null,
  lease_expires_at timestamp with time zone not null,
  status integer,
  reply bytea,
  created_at timestamp with time zone not null
);
create table jobs (
  id uuid not null default gen_random_uuid(),
  name text not null,
  data jsonb not null,
  priority integer not null default 0,
  start_after timestamp with time zone not null default now(),
  queued_at timestamp with time zone not null default now(),
  starts integer not null default 0,
  claim uuid,
  kept_until timestamp with time zone,
  failure text
);
create table leases (
  name text not null,
  holder uuid not null,
  held_until timestamp with time zone not null
);
create table ledger_counts (
  id integer not null,
  counted_at timestamp with time zone not null
);
create table ledger_entries (
  id bigint not null,
  project_id uuid not null,
  chain text not null,
  currency text not null,
  received numeric not null,
  delivered numeric not null,
  open numeric not null,
  refunded numeric not null,
  claimable numeric not null,
  owed numeric not null
);
create table ledger_totals (
  project_id uuid not null,
  chain text not null,
  currency text not null,
  received numeric not null,
  delivered numeric not null,
  open numeric not null,
  refunded numeric not null,
  claimable numeric not null,
  owed numeric not null
);
create table mails (
  id uuid not null,
  project_id uuid not null,
  recipient text not null,
  locale text not null,
  kind text not null,
  data jsonb not null,
  created_at timestamp(3) with time zone not null,
  sent_at timestamp(3) with time zone,
  order_id uuid
);
create table master_key_checks (
  key_id text not null,
  sealed text not null,
  created_at timestamp with time zone not null default now()
);
create table nfts (
  project_id uuid not null,
  collection_id text not null,
  id text not null,
  status text not null,
  token_id bigint not null,
  template_id uuid,
  recipient text,
  owner text,
  metadata jsonb not null,
  uri text not null,
  locale text not null,
  has_notification boolean not null,
  expires_at timestamp(3) with time zone,
  revision integer not null default 0,
  renewal_revision integer not null default 0,
  chain_revision integer not null default 0,
  batch_id uuid,
  tx_id text,
  order_id uuid,
  request_hash text,
  action_id uuid,
  created_at timestamp(3) with time zone not null,
  burn_action_id uuid,
  is_compressed boolean not null default false,
  mint_hash text,
  template_name text
);
create table orders (
  id uuid not null,
  project_id uuid not null,
  client_secret_hash text not null,
  phase text not null,
  chain text not null,
  quote_expires_at timestamp with time zone,
  hinted_at timestamp with time zone,
  revision integer not null default 0,
  document jsonb not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  open_hint_at timestamp with time zone,
  terms text[],
  payment_link_id text
);
create table payment_links (
  id text not null,
  project_id uuid not null,
  title text,
  line_items jsonb not null,
  max_quantity integer,
  payment jsonb,
  max_uses integer,
  expires_at timestamp(3) with time zone,
  success_url text,
  deactivated_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null
);
create table payment_targets (
  chain text not null,
  target text not null,
  order_id uuid not null,
  watched_until timestamp with time zone not null,
  live_until timestamp with time zone,
  is_seeded boolean not null default true
);
create table payments (
  id text not null,
  order_id uuid not null,
  chain text not null,
  tx_id text not null,
  log_index integer not null,
  block_number bigint not null,
  block_hash text not null,
  mined_at timestamp with time zone not null,
  payer text not null,
  currency text not null,
  units text not null,
  target text not null,
  status text not null
);
create table projects (
  id uuid not null default gen_random_uuid(),
  name text not null,
  display_name text,
  created_at timestamp with time zone not null default now()
);
create unlogged table rate_limits (
  key character varying(255) not null,
  points integer not null default 0,
  expire bigint
);
create table refunds (
  id text not null,
  order_id uuid not null,
  payment_id text not null,
  chain text not null,
  currency text not null,
  units text not null,
  recipient text not null,
  reason text not null,
  status text not null,
  tx_id text,
  attempt integer not null default 1,
  failure text,
  created_at timestamp with time zone not null,
  released_by text,
  released_at timestamp with time zone,
  sent_to text,
  counted_as text,
  source text not null default 'order'::text,
  price_share integer,
  held_as text,
  pay_out_key text,
  price_worth bigint
);
create table sale_counts (
  project_id uuid not null,
  collection_id text not null,
  key text not null,
  allocated_count integer not null default 0,
  reserved_count integer not null default 0
);
create table shared_calls (
  key text not null,
  transaction_key text not null,
  calldata text not null
);
create table solana_transactions (
  key text not null,
  chain text not null,
  signed_transaction text not null,
  signature text not null,
  last_valid_block_height bigint not null,
  status text not null,
  slot bigint,
  failure text,
  created_at timestamp with time zone not null default now(),
  guard text,
  guard_signed_at timestamp with time zone,
  guard_closed_at timestamp with time zone,
  expired_at timestamp with time zone
);
create table sponsored_gas (
  key text not null,
  chain text not null,
  account text not null,
  given_wei numeric not null,
  spent_wei numeric not null
);
create table suspended_currencies (
  chain text not null,
  currency text not null,
  reason text not null,
  suspended_at timestamp with time zone not null
);
create table tallies (
  subject text not null,
  owner text not null,
  hour timestamp with time zone not null,
  name text not null,
  count bigint not null,
  units numeric not null default 0,
  refunded numeric not null default 0
);
create table tally_entries (
  id bigint not null,
  subject text not null,
  owner text not null,
  hour timestamp with time zone not null,
  name text not null,
  count bigint not null,
  units numeric not null default 0,
  refunded numeric not null default 0
);
create table templates (
  id uuid not null,
  project_id uuid not null,
  collection_id text not null,
  metadata jsonb not null,
  token_id bigint,
  supply_limit integer,
  allocated_count integer not null default 0,
  created_at timestamp(3) with time zone not null,
  request_hash text,
  deleted_at timestamp(3) with time zone,
  reserved_count integer not null default 0,
  name text,
  limit_revision integer not null default 0,
  limit_base integer not null default 0
);
create table token_cursors (
  chain text not null,
  contract text not null,
  block_number bigint not null,
  block_hash text,
  updated_at timestamp with time zone not null
);
create table token_holdings (
  id bigint not null,
  chain text not null,
  contract text not null,
  token_id text not null,
  holder text not null,
  left_at timestamp with time zone,
  held_at timestamp with time zone
);
create table unattributed_transfers (
  id text not null,
  order_id uuid not null,
  chain text not null,
  currency text not null,
  units text not null,
  recipient text not null,
  status text not null,
  tx_id text,
  failure text,
  created_at timestamp with time zone not null
);
create table wallet_lanes (
  wallet_id uuid not null,
  chain text not null,
  next_sequence bigint not null,
  next_nonce bigint not null
);
create table wallet_transactions (
  id uuid not null,
  project_id uuid not null,
  wallet_id uuid not null,
  chain text not null,
  sequence bigint not null,
  status text not null,
  params jsonb not null,
  calls jsonb not null,
  operation jsonb,
  operation_hash text,
  signer text not null,
  submitted jsonb,
  bundle_id uuid,
  bundle_index integer,
  gap_seen_at timestamp with time zone,
  tx_id text,
  error jsonb,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  message jsonb
);
create table wallets (
  id uuid not null,
  project_id uuid not null,
  type text not null,
  address text not null,
  user_locator text,
  signer_type text not null,
  admin_signer jsonb not null,
  encrypted_key text,
  created_at timestamp with time zone not null
);
create table webhook_attempts (
  event_id text not null,
  endpoint_id uuid not null,
  round integer not null,
  attempt integer not null,
  at timestamp(3) with time zone not null,
  status integer,
  failure text,
  duration_ms integer not null
);
create table webhook_deliveries (
  event_id text not null,
  endpoint_id uuid not null,
  status text not null,
  attempts integer not null default 0,
  round integer not null default 1,
  last_status integer,
  last_failure text,
  next_attempt_at timestamp(3) with time zone,
  updated_at timestamp(3) with time zone not null
);
create table webhook_endpoints (
  id uuid not null default gen_random_uuid(),
  project_id uuid not null,
  url text not null,
  event_types jsonb not null,
  secrets jsonb not null,
  created_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  disabled_at timestamp(3) with time zone
);
create table webhook_events (
  id text not null,
  project_id uuid not null,
  type text not null,
  body text not null,
  created_at timestamp(3) with time zone not null,
  order_id uuid
);
alter table actions add constraint actions_pkey PRIMARY KEY (id);
alter table actions add constraint actions_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table adopted_writes add constraint adopted_writes_chain_reference_pk PRIMARY KEY (chain, reference);
alter table allow_list_addresses add constraint allow_list_addresses_list_id_address_pk PRIMARY KEY (list_id, address);
alter table api_keys add constraint api_keys_pkey PRIMARY KEY (id);
alter table api_keys add constraint api_keys_secret_hash_unique UNIQUE (secret_hash);
alter table api_keys add constraint api_keys_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table audit_entries add constraint audit_entries_pkey PRIMARY KEY (id);
alter table audit_entries add constraint audit_entries_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table authorizations add constraint authorizations_pkey PRIMARY KEY (id);
alter table authorizations add constraint authorizations_order_id_orders_id_fk FOREIGN KEY (order_id) REFERENCES orders(id);
alter table chain_accounts add constraint chain_accounts_pkey PRIMARY KEY (id);
alter table chain_cursors add constraint chain_cursors_pkey PRIMARY KEY (chain);
alter table chain_refusals add constraint chain_refusals_pkey PRIMARY KEY (key);
alter table chain_transactions add constraint chain_transactions_pkey PRIMARY KEY (key);
alter table collections add constraint collections_project_id_id_pk PRIMARY KEY (project_id, id);
alter table collections add constraint collections_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table console_accounts add constraint console_accounts_address UNIQUE (project_id, email);
alter table console_accounts add constraint console_accounts_pkey PRIMARY KEY (id);
alter table console_accounts add constraint console_accounts_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table console_passkeys add constraint console_passkeys_pkey PRIMARY KEY (id);
alter table console_passkeys add constraint console_passkeys_account_id_console_accounts_id_fk FOREIGN KEY (account_id) REFERENCES console_accounts(id) ON DELETE CASCADE;
alter table console_sessions add constraint console_sessions_pkey PRIMARY KEY (id);
alter table console_sessions add constraint console_sessions_token_hash_unique UNIQUE (token_hash);
alter table console_sessions add constraint console_sessions_account_id_console_accounts_id_fk FOREIGN KEY (account_id) REFERENCES console_accounts(id) ON DELETE CASCADE;
alter table console_tokens add constraint console_tokens_pkey PRIMARY KEY (hash);
alter table console_tokens add constraint console_tokens_account_id_console_accounts_id_fk FOREIGN KEY (account_id) REFERENCES console_accounts(id) ON DELETE CASCADE;
alter table console_tokens add constraint console_tokens_inviter_id_console_accounts_id_fk FOREIGN KEY (inviter_id) REFERENCES console_accounts(id) ON DELETE CASCADE;
alter table console_tokens add constraint console_tokens_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table files add constraint files_pkey PRIMARY KEY (cid);
alter table hint_cursors add constraint hint_cursors_chain_pass_pk PRIMARY KEY (chain, pass);
alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (id);
alter table jobs add constraint jobs_pkey PRIMARY KEY (id);
alter table leases add constraint leases_pkey PRIMARY KEY (name);
alter table ledger_counts add constraint ledger_counts_pkey PRIMARY KEY (id);
alter table ledger_entries add constraint ledger_entries_pkey PRIMARY KEY (id);
alter table ledger_entries add constraint ledger_entries_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table ledger_totals add constraint ledger_totals_project_id_chain_currency_pk PRIMARY KEY (project_id, chain, currency);
alter table ledger_totals add constraint ledger_totals_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table mails add constraint mails_pkey PRIMARY KEY (id);
alter table mails add constraint mails_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table master_key_checks add constraint master_key_checks_pkey PRIMARY KEY (key_id);
alter table nfts add constraint nfts_project_id_collection_id_id_pk PRIMARY KEY (project_id, collection_id, id);
alter table nfts add constraint nfts_project_id_collection_id_collections_project_id_id_fk FOREIGN KEY (project_id, collection_id) REFERENCES collections(project_id, id);
alter table nfts add constraint nfts_template_fk FOREIGN KEY (project_id, collection_id, template_id) REFERENCES templates(project_id, collection_id, id);
alter table orders add constraint orders_client_secret_hash_unique UNIQUE (client_secret_hash);
alter table orders add constraint orders_pkey PRIMARY KEY (id);
alter table orders add constraint orders_payment_link_id_payment_links_id_fk FOREIGN KEY (payment_link_id) REFERENCES payment_links(id);
alter table orders add constraint orders_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table payment_links add constraint payment_links_pkey PRIMARY KEY (id);
alter table payment_links add constraint payment_links_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table payment_targets add constraint payment_targets_chain_target_pk PRIMARY KEY (chain, target);
alter table payment_targets add constraint payment_targets_order_id_orders_id_fk FOREIGN KEY (order_id) REFERENCES orders(id);
alter table payments add constraint payments_pkey PRIMARY KEY (id);
alter table payments add constraint payments_order_id_orders_id_fk FOREIGN KEY (order_id) REFERENCES orders(id);
alter table projects add constraint projects_name_unique UNIQUE (name);
alter table projects add constraint projects_pkey PRIMARY KEY (id);
alter table rate_limits add constraint rate_limits_pkey PRIMARY KEY (key);
alter table refunds add constraint refunds_pkey PRIMARY KEY (id);
alter table refunds add constraint refunds_order_id_orders_id_fk FOREIGN KEY (order_id) REFERENCES orders(id);
alter table refunds add constraint refunds_payment_id_payments_id_fk FOREIGN KEY (payment_id) REFERENCES payments(id);
alter table sale_counts add constraint sale_counts_project_id_collection_id_key_pk PRIMARY KEY (project_id, collection_id, key);
alter table sale_counts add constraint sale_counts_collection FOREIGN KEY (project_id, collection_id) REFERENCES collections(project_id, id);
alter table shared_calls add constraint shared_calls_pkey PRIMARY KEY (key);
alter table solana_transactions add constraint solana_transactions_pkey PRIMARY KEY (key);
alter table sponsored_gas add constraint sponsored_gas_pkey PRIMARY KEY (key);
alter table suspended_currencies add constraint suspended_currencies_chain_currency_pk PRIMARY KEY (chain, currency);
alter table tallies add constraint tallies_subject_owner_hour_name_pk PRIMARY KEY (subject, owner, hour, name);
alter table tally_entries add constraint tally_entries_pkey PRIMARY KEY (id);
alter table templates add constraint templates_project_id_collection_id_id_pk PRIMARY KEY (project_id, collection_id, id);
alter table templates add constraint templates_project_id_collection_id_collections_project_id_id_fk FOREIGN KEY (project_id, collection_id) REFERENCES collections(project_id, id);
alter table token_cursors add constraint token_cursors_chain_contract_pk PRIMARY KEY (chain, contract);
alter table token_holdings add constraint token_holdings_pkey PRIMARY KEY (id);
alter table unattributed_transfers add constraint unattributed_transfers_pkey PRIMARY KEY (id);
alter table unattributed_transfers add constraint unattributed_transfers_order_id_orders_id_fk FOREIGN KEY (order_id) REFERENCES orders(id);
alter table wallet_lanes add constraint wallet_lanes_wallet_id_chain_pk PRIMARY KEY (wallet_id, chain);
alter table wallet_lanes add constraint wallet_lanes_wallet_id_wallets_id_fk FOREIGN KEY (wallet_id) REFERENCES wallets(id);
alter table wallet_transactions add constraint wallet_transactions_pkey PRIMARY KEY (id);
alter table wallet_transactions add constraint wallet_transactions_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table wallet_transactions add constraint wallet_transactions_wallet_id_wallets_id_fk FOREIGN KEY (wallet_id) REFERENCES wallets(id);
alter table wallets add constraint wallets_pkey PRIMARY KEY (id);
alter table wallets add constraint wallets_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table webhook_attempts add constraint webhook_attempts_event_id_endpoint_id_round_attempt_pk PRIMARY KEY (event_id, endpoint_id, round, attempt);
alter table webhook_attempts add constraint webhook_attempts_delivery FOREIGN KEY (event_id, endpoint_id) REFERENCES webhook_deliveries(event_id, endpoint_id) ON DELETE CASCADE;
alter table webhook_deliveries add constraint webhook_deliveries_event_id_endpoint_id_pk PRIMARY KEY (event_id, endpoint_id);
alter table webhook_deliveries add constraint webhook_deliveries_endpoint_id_webhook_endpoints_id_fk FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id);
alter table webhook_deliveries add constraint webhook_deliveries_event_id_webhook_events_id_fk FOREIGN KEY (event_id) REFERENCES webhook_events(id);
alter table webhook_endpoints add constraint webhook_endpoints_pkey PRIMARY KEY (id);
alter table webhook_endpoints add constraint webhook_endpoints_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table webhook_events add constraint webhook_events_pkey PRIMARY KEY (id);
alter table webhook_events add constraint webhook_events_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table files alter column bytes set storage external;
CREATE INDEX actions_project ON public.actions USING btree (project_id, started_at);
CREATE INDEX adopted_writes_order ON public.adopted_writes USING btree (chain, order_reference);
CREATE INDEX audit_entries_newest ON public.audit_entries USING btree (project_id, created_at, id);
CREATE UNIQUE INDEX authorizations_alive ON public.authorizations USING btree (order_id) WHERE (status = ANY (ARRAY['stored'::text, 'sent'::text]));
CREATE INDEX authorizations_chain ON public.authorizations USING btree (chain, started_at);
CREATE UNIQUE INDEX authorizations_content ON public.authorizations USING btree (order_id, content);
CREATE INDEX authorizations_key ON public.authorizations USING btree (content);
CREATE INDEX authorizations_payer ON public.authorizations USING btree (chain, payer, started_at);
CREATE INDEX authorizations_project ON public.authorizations USING btree (project_id, started_at);
CREATE INDEX chain_transactions_attempts ON public.chain_transactions USING btree (split_part(key, '#'::text, 1));
CREATE INDEX chain_transactions_ended ON public.chain_transactions USING btree (chain, ended_at);
CREATE UNIQUE INDEX chain_transactions_nonce ON public.chain_transactions USING btree (chain, sender, nonce);
CREATE INDEX chain_transactions_open ON public.chain_transactions USING btree (chain, created_at) WHERE (status = 'signed'::text);
CREATE INDEX chain_transactions_tx_id ON public.chain_transactions USING btree (tx_id);
CREATE INDEX collections_newest ON public.collections USING btree (project_id, created_at, id);
CREATE INDEX console_accounts_email ON public.console_accounts USING btree (email);
CREATE INDEX console_passkeys_account ON public.console_passkeys USING btree (account_id);
CREATE INDEX console_sessions_account ON public.console_sessions USING btree (account_id);
CREATE INDEX console_sessions_expiring ON public.console_sessions USING btree (expires_at);
CREATE INDEX console_tokens_account ON public.console_tokens USING btree (account_id, kind);
CREATE INDEX console_tokens_expiring ON public.console_tokens USING btree (expires_at);
CREATE INDEX idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);
CREATE UNIQUE INDEX jobs_claim ON public.jobs USING btree (claim) WHERE (claim IS NOT NULL);
CREATE INDEX jobs_due ON public.jobs USING btree (name, start_after);
CREATE INDEX mails_newest ON public.mails USING btree (created_at);
CREATE INDEX mails_order ON public.mails USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX mails_recipient ON public.mails USING btree (recipient, created_at);
CREATE INDEX nfts_action ON public.nfts USING btree (action_id);
CREATE INDEX nfts_batch ON public.nfts USING btree (batch_id);
CREATE INDEX nfts_burn ON public.nfts USING btree (burn_action_id) WHERE (burn_action_id IS NOT NULL);
CREATE INDEX nfts_newest ON public.nfts USING btree (project_id, collection_id, created_at, id);
CREATE INDEX nfts_waiting ON public.nfts USING btree (project_id, collection_id, status, batch_id);
CREATE INDEX orders_addressed ON public.orders USING btree (project_id, created_at) WHERE ((document #> '{recipient,physicalAddress}'::text[]) IS NOT NULL);
CREATE INDEX orders_expiring ON public.orders USING btree (chain, quote_expires_at) WHERE (phase = 'payment'::text);
CREATE INDEX orders_hinted ON public.orders USING btree (hinted_at);
CREATE INDEX orders_newest ON public.orders USING btree (project_id, created_at, id);
CREATE INDEX orders_open ON public.orders USING btree (chain, phase);
CREATE INDEX orders_open_hints ON public.orders USING btree (open_hint_at, id) WHERE (open_hint_at IS NOT NULL);
CREATE INDEX orders_payment_link ON public.orders USING btree (payment_link_id) WHERE (payment_link_id IS NOT NULL);
CREATE INDEX orders_phase ON public.orders USING btree (project_id, phase);
CREATE INDEX orders_phase_newest ON public.orders USING btree (project_id, phase, created_at, id);
CREATE INDEX orders_terms ON public.orders USING gin (terms);
CREATE INDEX orders_unfinished ON public.orders USING btree (phase) WHERE (phase = ANY (ARRAY['delivery'::text, 'payment'::text]));
CREATE INDEX orders_without_terms ON public.orders USING btree (id) WHERE (terms IS NULL);
CREATE INDEX payment_links_project ON public.payment_links USING btree (project_id, created_at);
CREATE INDEX payment_targets_live ON public.payment_targets USING btree (live_until);
CREATE INDEX payment_targets_order ON public.payment_targets USING btree (order_id);
CREATE INDEX payment_targets_seeded ON public.payment_targets USING btree (chain) WHERE is_seeded;
CREATE INDEX payment_targets_watched ON public.payment_targets USING btree (watched_until);
CREATE INDEX payments_final ON public.payments USING btree (chain, block_number) WHERE (status = 'confirmed'::text);
CREATE INDEX payments_order ON public.payments USING btree (order_id);
CREATE INDEX payments_status ON public.payments USING btree (status, chain);
CREATE INDEX refunds_order ON public.refunds USING btree (order_id);
CREATE INDEX refunds_pay_out ON public.refunds USING btree (COALESCE(pay_out_key, id));
CREATE INDEX refunds_released ON public.refunds USING btree (released_at);
CREATE INDEX refunds_waiting ON public.refunds USING btree (created_at) WHERE (status = ANY (ARRAY['held'::text, 'failed'::text, 'credited'::text]));
CREATE INDEX shared_calls_attempts ON public.shared_calls USING btree (split_part(key, '#'::text, 1));
CREATE INDEX shared_calls_transaction ON public.shared_calls USING btree (transaction_key);
CREATE INDEX solana_transactions_guards ON public.solana_transactions USING btree (chain, guard_signed_at) WHERE ((status = 'succeeded'::text) AND (guard IS NOT NULL) AND (guard_closed_at IS NULL));
CREATE INDEX solana_transactions_open ON public.solana_transactions USING btree (chain, created_at) WHERE (status = 'signed'::text);
CREATE UNIQUE INDEX solana_transactions_signature ON public.solana_transactions USING btree (signature);
CREATE INDEX sponsored_gas_account ON public.sponsored_gas USING btree (chain, account);
CREATE INDEX templates_newest ON public.templates USING btree (project_id, collection_id, created_at, id);
CREATE UNIQUE INDEX templates_token_id ON public.templates USING btree (project_id, collection_id, token_id);
CREATE INDEX token_holdings_holder ON public.token_holdings USING btree (chain, holder, id);
CREATE UNIQUE INDEX token_holdings_token ON public.token_holdings USING btree (chain, contract, token_id, holder);
CREATE INDEX unattributed_transfers_order ON public.unattributed_transfers USING btree (order_id);
CREATE INDEX wallet_lanes_chain ON public.wallet_lanes USING btree (chain);
CREATE INDEX wallet_transactions_hash ON public.wallet_transactions USING btree (operation_hash);
CREATE INDEX wallet_transactions_list ON public.wallet_transactions USING btree (wallet_id, created_at, id);
CREATE INDEX wallet_transactions_pending ON public.wallet_transactions USING btree (wallet_id, chain, sequence) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX wallet_transactions_sequence ON public.wallet_transactions USING btree (wallet_id, chain, sequence);
CREATE UNIQUE INDEX wallets_address ON public.wallets USING btree (project_id, address);
CREATE UNIQUE INDEX wallets_user ON public.wallets USING btree (project_id, user_locator, type);
CREATE INDEX webhook_deliveries_endpoint ON public.webhook_deliveries USING btree (endpoint_id, status);
CREATE INDEX webhook_deliveries_updated ON public.webhook_deliveries USING btree (updated_at);
CREATE INDEX webhook_endpoints_project ON public.webhook_endpoints USING btree (project_id);
CREATE INDEX webhook_events_created ON public.webhook_events USING btree (created_at);
CREATE INDEX webhook_events_order ON public.webhook_events USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX webhook_events_project ON public.webhook_events USING btree (project_id, created_at);
CREATE OR REPLACE FUNCTION public.tally_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count) VALUES ('deliveries', '', 'epoch', old.status, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count) VALUES ('deliveries', '', 'epoch', new.status, 1);
  END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.tally_hour(at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
RETURN to_timestamp(((floor((EXTRACT(epoch FROM at) / (3600)::numeric)) * (3600)::numeric))::double precision)
;
CREATE OR REPLACE FUNCTION public.tally_of_order(phase text, chain text, document jsonb, OUT name text, OUT is_sold boolean, OUT units numeric)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
DECLARE
  -- Unpacked once for all that is read of it.
  whole jsonb;
BEGIN
  IF phase IN ('delivery', 'completed') THEN
    whole := document || '{}';
    is_sold := coalesce(whole #>> '{capture,status}', 'captured') = 'captured';
  ELSE
    is_sold := false;
  END IF;
  IF is_sold THEN
    name := jsonb_build_array(phase, chain, whole #> '{payment,currency}', whole #> '{payment,decimals}')::text;
    units := coalesce((whole #>> '{quote,totalUnits}')::numeric, 0);
  ELSE
    name := jsonb_build_array(phase)::text;
    units := 0;
  END IF;
END $function$
;
CREATE OR REPLACE FUNCTION public.tally_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  before record;
  after record;
  refunded numeric := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    SELECT * INTO before FROM tally_of_order(old.phase, old.chain, old.document);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT * INTO after FROM tally_of_order(new.phase, new.chain, new.document);
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF before = after THEN
      RETURN NULL;
    END IF;
    IF before.is_sold OR after.is_sold THEN
      refunded := tally_refunded(old.id);
    END IF;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count, units, refunded) VALUES
      ('orders', old.project_id::text, tally_hour(old.created_at), before.name, -1, -before.units,
        CASE WHEN before.is_sold THEN -refunded ELSE 0 END),
      ('phases', '', 'epoch', old.phase, -1, 0, 0);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count, units, refunded) VALUES
      ('orders', new.project_id::text, tally_hour(new.created_at), after.name, 1, after.units,
        CASE WHEN after.is_sold THEN refunded ELSE 0 END),
      ('phases', '', 'epoch', new.phase, 1, 0, 0);
  END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.tally_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  refund_order uuid := CASE WHEN TG_OP = 'DELETE' THEN old.order_id ELSE new.order_id END;
  more numeric := 0;
BEGIN
  IF TG_OP <> 'DELETE' AND new.reason IN ('requested', 'undelivered') THEN
    more := more + new.units::numeric;
  END IF;
  IF TG_OP <> 'INSERT' AND old.reason IN ('requested', 'undelivered') THEN
    more := more - old.units::numeric;
  END IF;
  IF more <> 0 THEN
    -- A transaction that adds a refund has locked its order, so the order is what it will be counted as.
    INSERT INTO tally_entries (subject, owner, hour, name, count, units, refunded)
    SELECT 'orders', orders.project_id::text, tally_hour(orders.created_at), tally.name, 0, 0, more
    FROM orders, tally_of_order(orders.phase, orders.chain, orders.document) AS tally
    WHERE orders.id = refund_order AND tally.is_sold;
  END IF;
  RETURN NULL;
END $function$
;
CREATE OR REPLACE FUNCTION public.tally_refunded(id uuid)
 RETURNS numeric
 LANGUAGE sql
 STABLE
RETURN (SELECT COALESCE(sum((refunds.units)::numeric), (0)::numeric) AS "coalesce" FROM refunds WHERE ((refunds.order_id = tally_refunded.id) AND (refunds.reason = ANY (ARRAY['requested'::text, 'undelivered'::text]))))
;
CREATE OR REPLACE FUNCTION public.tally_token()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count)
    VALUES ('tokens', new.project_id || '/' || new.collection_id, tally_hour(new.created_at), '', 1);
  ELSE
    INSERT INTO tally_entries (subject, owner, hour, name, count)
    VALUES ('tokens', old.project_id || '/' || old.collection_id, tally_hour(old.created_at), '', -1);
  END IF;
  RETURN NULL;
END $function$
;
CREATE TRIGGER tally_token AFTER INSERT OR DELETE ON public.nfts FOR EACH ROW EXECUTE FUNCTION tally_token();
CREATE TRIGGER tally_changed_order AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((new.phase = ANY (ARRAY['delivery'::text, 'completed'::text])) OR (old.phase IS DISTINCT FROM new.phase))) EXECUTE FUNCTION tally_order();
CREATE TRIGGER tally_order AFTER INSERT OR DELETE ON public.orders FOR EACH ROW EXECUTE FUNCTION tally_order();
CREATE TRIGGER tally_refund AFTER INSERT OR DELETE OR UPDATE OF units, reason ON public.refunds FOR EACH ROW EXECUTE FUNCTION tally_refund();
CREATE TRIGGER tally_changed_delivery AFTER UPDATE ON public.webhook_deliveries FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION tally_delivery();
CREATE TRIGGER tally_delivery AFTER INSERT OR DELETE ON public.webhook_deliveries FOR EACH ROW EXECUTE FUNCTION tally_delivery();
