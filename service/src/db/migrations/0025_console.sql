CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"account_id" uuid,
	"actor" text NOT NULL,
	"operation" text NOT NULL,
	"resource" text NOT NULL,
	"outcome" text NOT NULL,
	"request_id" text,
	"ip_address" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"email" text,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "console_accounts_address" UNIQUE("project_id","email")
);
--> statement-breakpoint
CREATE TABLE "console_passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "console_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"account_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	CONSTRAINT "console_sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "console_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"project_id" uuid,
	"role" text,
	"email" text,
	"account_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "terms" text[];--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_accounts" ADD CONSTRAINT "console_accounts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_passkeys" ADD CONSTRAINT "console_passkeys_account_id_console_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."console_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_account_id_console_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."console_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_tokens" ADD CONSTRAINT "console_tokens_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_tokens" ADD CONSTRAINT "console_tokens_account_id_console_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."console_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_newest" ON "audit_entries" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "console_accounts_email" ON "console_accounts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "console_passkeys_account" ON "console_passkeys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "console_sessions_account" ON "console_sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "console_sessions_expiring" ON "console_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "console_tokens_account" ON "console_tokens" USING btree ("account_id","kind");--> statement-breakpoint
CREATE INDEX "console_tokens_expiring" ON "console_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mails_order" ON "mails" USING btree ("order_id") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "orders_phase_newest" ON "orders" USING btree ("project_id","phase","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_terms" ON "orders" USING gin ("terms");--> statement-breakpoint
CREATE INDEX "orders_without_terms" ON "orders" USING btree ("id") WHERE terms is null;--> statement-breakpoint
CREATE INDEX "webhook_events_order" ON "webhook_events" USING btree ("order_id") WHERE order_id is not null;