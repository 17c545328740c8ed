// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
import {IERC2981} from "@openzeppelin/contracts/interfaces/IERC2981.sol";

/// @title What every collection has, whatever its standard: a minter, its terms, its templates.
/// @notice Token ids are chosen by the minter. Changes carry a count, so that one that arrives late never undoes
/// a newer one.
abstract contract Collection is Initializable, IERC2981 {
    struct Terms {
        string name;
        string symbol;
        /// URI of the JSON that describes the collection (ERC-7572).
        string uri;
        /// The most tokens there can ever be; 0 means no limit.
        uint128 supplyLimit;
        bool transferable;
        /// The account that may claim the collection on marketplaces and receives its royalties.
        address owner;
        /// The royalty of a resale (ERC-2981), in hundredths of a percent.
        uint16 royaltyBasisPoints;
    }

    struct Mint {
        address to;
        uint256 tokenId;
        string uri;
        /// What is minted here, once, where many tokens share an id.
        bytes32 mintId;
        /// What it is a copy of; 0 for nothing.
        bytes32 template;
        /// The most copies there can be; 0 means no limit. Only the first copy's counts.
        uint128 templateLimit;
        /// When a subscription ends; other tokens have no end.
        uint64 expiresAt;
    }

    struct Template {
        uint128 limit;
        uint128 minted;
    }

    address public minter;
    /// @notice How many times the terms have been changed.
    uint64 public revision;
    bool private _transferable;
    uint128 public supplyLimit;
    uint128 internal _minted;
    string private _name;
    string private _symbol;
    /// @notice URI of the JSON that describes the collection (ERC-7572).
    string public contractURI;
    /// @notice The account that may claim the collection on marketplaces. No function of the collection asks for it:
    /// it cannot mint, change or move anything. The minter appoints it.
    address public owner;
    /// @notice The royalty of a resale, in hundredths of a percent of its price.
    uint16 public royaltyBasisPoints;
    mapping(bytes32 template => Template) public templates;
    /// @notice How many times a token has been changed.
    mapping(uint256 tokenId => uint64 count) public tokenRevision;
    mapping(uint256 tokenId => string uri) internal _uris;

    event CollectionUpdated(uint64 indexed revision);
    event ContractURIUpdated();
    /// @dev From ERC-173, whose functions would let the owner appoint another one.
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    event TokenUpdated(uint256 indexed tokenId, uint64 indexed revision);

    error NotMinter(address caller);
    error SupplyLimitReached(uint256 limit);
    error SupplyLimitTooLow(uint256 minted);
    error TemplateLimitReached(bytes32 template, uint256 limit);
    error StaleRevision(uint64 present);
    error StaleTokenRevision(uint256 tokenId, uint64 present);
    error NotTransferable(uint256 tokenId);
    error RoyaltyTooHigh(uint256 basisPoints);

    modifier onlyMinter() {
        if (msg.sender != minter) revert NotMinter(msg.sender);
        _;
    }

    constructor() {
        _disableInitializers();
    }

    function initialize(address minter_, Terms calldata terms) external initializer {
        minter = minter_;
        _setTerms(terms);
    }

    function name() public view virtual returns (string memory) {
        return _name;
    }

    function symbol() public view virtual returns (string memory) {
        return _symbol;
    }

    function transferable() public view virtual returns (bool) {
        return _transferable;
    }

    /// @notice Returns who receives the royalty of a resale, and how much of its price that is (ERC-2981).
    function royaltyInfo(uint256, uint256 salePrice) external view returns (address receiver, uint256 amount) {
        // No multiplication of the whole price, which could overflow.
        uint256 rest = ((salePrice % 10_000) * royaltyBasisPoints) / 10_000;
        return (owner, (salePrice / 10_000) * royaltyBasisPoints + rest);
    }

    /// @notice How many tokens have been minted. Burned tokens count: they are not replaced.
    function totalSupply() external view returns (uint256) {
        return _minted;
    }

    /// @notice Changes the terms; those of an older revision are refused.
    function update(uint64 revision_, Terms calldata terms) external onlyMinter {
        if (revision_ <= revision) revert StaleRevision(revision);
        if (terms.supplyLimit != 0 && terms.supplyLimit < _minted) revert SupplyLimitTooLow(_minted);
        revision = revision_;
        bool was = transferable();
        _setTerms(terms);
        if (transferable() != was) _lockChanged();
        emit CollectionUpdated(revision_);
        emit ContractURIUpdated();
    }

    /// @notice Mints every token of the list, or none.
    function mint(Mint[] calldata mints) external onlyMinter {
        uint256 minted = _minted + mints.length;
        if (supplyLimit != 0 && minted > supplyLimit) revert SupplyLimitReached(supplyLimit);
        _minted = uint128(minted);
        for (uint256 i = 0; i < mints.length; ++i) {
            if (mints[i].template != 0) _countCopy(mints[i].template, mints[i].templateLimit);
            _mintOne(mints[i]);
        }
    }

    /// @notice Changes a token; what is of an older revision is refused.
    /// @param expiresAt When a subscription ends; 0 leaves that as it is.
    function updateToken(uint256 tokenId, uint64 revision_, string calldata uri_, uint64 expiresAt)
        external
        onlyMinter
    {
        uint64 present = tokenRevision[tokenId];
        if (revision_ <= present) revert StaleTokenRevision(tokenId, present);
        tokenRevision[tokenId] = revision_;
        _uris[tokenId] = uri_;
        _updateOne(tokenId, expiresAt);
        emit TokenUpdated(tokenId, revision_);
    }

    /// @dev Every token there is may be given away from now on, or none.
    function _lockChanged() internal virtual {}

    function _mintOne(Mint calldata one) internal virtual;

    /// @dev Reverts for a token that does not exist.
    function _updateOne(uint256 tokenId, uint64 expiresAt) internal virtual;

    function _countCopy(bytes32 id, uint128 limit) private {
        Template memory template = templates[id];
        if (template.minted == 0) template.limit = limit;
        if (template.limit != 0 && template.minted >= template.limit) {
            revert TemplateLimitReached(id, template.limit);
        }
        ++template.minted;
        templates[id] = template;
    }

    function _setTerms(Terms calldata terms) private {
        _name = terms.name;
        _symbol = terms.symbol;
        contractURI = terms.uri;
        supplyLimit = terms.supplyLimit;
        _transferable = terms.transferable;
        if (terms.royaltyBasisPoints > 10_000) revert RoyaltyTooHigh(terms.royaltyBasisPoints);
        royaltyBasisPoints = terms.royaltyBasisPoints;
        if (terms.owner == owner) return;
        emit OwnershipTransferred(owner, terms.owner);
        owner = terms.owner;
    }
}
