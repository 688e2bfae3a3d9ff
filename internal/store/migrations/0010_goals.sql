-- Goals: current concerns, and what thinking between tasks connects to them.

CREATE TABLE goal (
	id         {text} NOT NULL PRIMARY KEY,
	project_id {int}  NOT NULL, -- 0: of the person, everywhere
	status     {text} NOT NULL,
	data       {text} NOT NULL  -- the goal whole
) {strict};

CREATE INDEX goal_by_project ON goal (project_id, status);

CREATE TABLE connection (
	id         {serial},
	project_id {int}  NOT NULL,
	goal_id    {text} NOT NULL REFERENCES goal (id) ON DELETE CASCADE,
	at         {int}  NOT NULL, -- when it was shown
	strength   {real} NOT NULL,
	keys       {text} NOT NULL, -- what names the thought, each followed by a line end
	why        {text} NOT NULL,
	outcome    {text} NOT NULL  -- used, wrong, or empty
) {strict};

CREATE INDEX connection_by_project ON connection (project_id, at);
CREATE INDEX connection_by_goal ON connection (goal_id);
