create table api_keys (
  id uuid not null default gen_random_uuid(),
  project_id uuid not null,
  kind text not null,
  secret_hash text not null,
  scopes jsonb not null,
  origins jsonb not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone
);
create table chain_accounts (
  id text not null,
  next_nonce integer not null
);
create table chain_cursors (
  chain text not null,
  block_number bigint,
  block_hash text,
  updated_at timestamp with time zone not null
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
  created_at timestamp with time zone not null default now()
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
  supply_limit integer,
  price text,
  price_currency text,
  allocated_count integer not null default 0,
  next_token_id bigint not null,
  created_at timestamp with time zone not null
);
create table custodial_wallets (
  id uuid not null default gen_random_uuid(),
  project_id uuid not null,
  user_locator text not null,
  family text not null,
  address text not null,
  encrypted_key text not null,
  created_at timestamp with time zone not null
);
create table files (
  cid text not null,
  content_type text not null,
  bytes bytea not null,
  created_at timestamp with time zone not null default now()
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
  updated_at timestamp(3) with time zone not null
);
create table payment_targets (
  chain text not null,
  target text not null,
  order_id uuid not null,
  watched_until timestamp with time zone not null
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
  created_at timestamp with time zone not null default now()
);
create table rate_limits (
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
  created_at timestamp with time zone not null
);
alter table api_keys add constraint api_keys_pkey PRIMARY KEY (id);
alter table api_keys add constraint api_keys_secret_hash_unique UNIQUE (secret_hash);
alter table api_keys add constraint api_keys_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table chain_accounts add constraint chain_accounts_pkey PRIMARY KEY (id);
alter table chain_cursors add constraint chain_cursors_pkey PRIMARY KEY (chain);
alter table chain_transactions add constraint chain_transactions_pkey PRIMARY KEY (key);
alter table collections add constraint collections_project_id_id_pk PRIMARY KEY (project_id, id);
alter table collections add constraint collections_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table custodial_wallets add constraint custodial_wallets_pkey PRIMARY KEY (id);
alter table custodial_wallets add constraint custodial_wallets_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
alter table files add constraint files_pkey PRIMARY KEY (cid);
alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (id);
alter table orders add constraint orders_client_secret_hash_unique UNIQUE (client_secret_hash);
alter table orders add constraint orders_pkey PRIMARY KEY (id);
alter table orders add constraint orders_project_id_projects_id_fk FOREIGN KEY (project_id) REFERENCES projects(id);
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
CREATE INDEX chain_transactions_attempts ON public.chain_transactions USING btree (split_part(key, '#'::text, 1));
CREATE UNIQUE INDEX chain_transactions_nonce ON public.chain_transactions USING btree (chain, sender, nonce);
CREATE INDEX chain_transactions_tx_id ON public.chain_transactions USING btree (tx_id);
CREATE UNIQUE INDEX custodial_wallets_user ON public.custodial_wallets USING btree (project_id, user_locator, family);
CREATE INDEX idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);
CREATE INDEX orders_hinted ON public.orders USING btree (hinted_at);
CREATE INDEX orders_newest ON public.orders USING btree (project_id, created_at, id);
CREATE INDEX orders_open ON public.orders USING btree (chain, phase);
CREATE INDEX payment_targets_order ON public.payment_targets USING btree (order_id);
CREATE INDEX payment_targets_watched ON public.payment_targets USING btree (watched_until);
CREATE INDEX payments_order ON public.payments USING btree (order_id);
CREATE INDEX payments_status ON public.payments USING btree (status, chain);
CREATE INDEX refunds_order ON public.refunds USING btree (order_id);
