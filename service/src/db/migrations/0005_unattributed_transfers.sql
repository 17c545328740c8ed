CREATE TABLE "unattributed_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"units" text NOT NULL,
	"recipient" text NOT NULL,
	"status" text NOT NULL,
	"tx_id" text,
	"failure" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "unattributed_transfers" ADD CONSTRAINT "unattributed_transfers_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unattributed_transfers_order" ON "unattributed_transfers" USING btree ("order_id");