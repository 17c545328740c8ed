CREATE TABLE "ledger_counts" (
	"id" integer PRIMARY KEY NOT NULL,
	"counted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"received" numeric NOT NULL,
	"delivered" numeric NOT NULL,
	"open" numeric NOT NULL,
	"refunded" numeric NOT NULL,
	"claimable" numeric NOT NULL,
	"owed" numeric NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_totals" (
	"project_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"received" numeric NOT NULL,
	"delivered" numeric NOT NULL,
	"open" numeric NOT NULL,
	"refunded" numeric NOT NULL,
	"claimable" numeric NOT NULL,
	"owed" numeric NOT NULL,
	CONSTRAINT "ledger_totals_project_id_chain_currency_pk" PRIMARY KEY("project_id","chain","currency")
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_totals" ADD CONSTRAINT "ledger_totals_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Without payments there is nothing to count.
INSERT INTO "ledger_counts" ("id", "counted_at") SELECT 1, now() WHERE NOT EXISTS (SELECT FROM "payments");
