<!doctype html>
<title>function not_this() { it's</title>
<?php
declare(strict_types=1);

namespace App\Http;

use App\Models\{User, Post};

# a comment, it's
const LIMIT = 3;

/**
 * A page {.
 */
#[Route('/page/{id}')]
final class Page extends Base implements \Countable
{
    use Loggable;

    private string $text = 'it\'s {';

    public function __construct(private readonly Repo $repo, protected ?int $n = null)
    {
        parent::__construct();
    }

    public static function &find(int|string $id): ?static
    {
        $sql = <<<SQL
            function no() {
            SELECT '{$id}'
            SQL;
        $raw = <<<'RAW'
}}}
RAW;
        return array_map(fn($x) => $x, [$sql, $raw]);
    }

    abstract protected function render(): string;

    public function count(): int { return 1; }

    #[Pure]
    public function each(callable $f)
    {
        foreach ($this->all as $a): ?>
            <li>don't { <?= $a ?></li>
        <?php endforeach;
        return function () use ($f) { return $f(); };
    }
}

interface Store
{
    public function get(string $key);
}

trait Loggable
{
    protected function log(string $m): void
    {
        echo "{$m} }";
    }
}

enum Suit: string
{
    case Hearts = 'H';

    public function label(): string
    {
        return ucfirst($this->value);
    }
}

if (!function_exists('helper')) {
    function helper($x = [])
    {
        return $x;
    }
}

$handler = new class {
    public function handle() {}
};

function plain(array $a): array
{
    return $a;
}
