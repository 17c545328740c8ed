CREATE TABLE "authorizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"units" text NOT NULL,
	"payer" text NOT NULL,
	"content" text NOT NULL,
	"signed" jsonb NOT NULL,
	"valid_before" timestamp with time zone NOT NULL,
	"status" text NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"tx_id" text,
	"reason" text,
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "authorizations_content" ON "authorizations" USING btree ("order_id","content");--> statement-breakpoint
CREATE UNIQUE INDEX "authorizations_alive" ON "authorizations" USING btree ("order_id") WHERE status in ('stored', 'sent');--> statement-breakpoint
CREATE INDEX "authorizations_payer" ON "authorizations" USING btree ("chain","payer","started_at");--> statement-breakpoint
CREATE INDEX "authorizations_project" ON "authorizations" USING btree ("project_id","started_at");--> statement-breakpoint
CREATE INDEX "authorizations_chain" ON "authorizations" USING btree ("chain","started_at");--> statement-breakpoint
CREATE INDEX "authorizations_key" ON "authorizations" USING btree ("content");