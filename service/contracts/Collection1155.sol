// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC1155/ERC1155Upgradeable.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC2981} from "@openzeppelin/contracts/interfaces/IERC2981.sol";
import {Collection} from "./Collection.sol";

/// @title A collection of tokens that come in copies (ERC-1155), used as a clone.
/// @notice Each copy is minted under an id of its own, once: a mint that is repeated by mistake reverts.
contract Collection1155 is ERC1155Upgradeable, Collection {
    mapping(uint256 tokenId => uint256 count) private _copies;
    mapping(bytes32 mintId => bool done) private _isMinted;

    event Minted(bytes32 indexed mintId, address indexed to, uint256 indexed tokenId);

    error AlreadyMinted(bytes32 mintId);
    error NoSuchToken(uint256 tokenId);

    function uri(uint256 tokenId) public view override returns (string memory) {
        return _uris[tokenId];
    }

    /// @notice How many copies of a token have been minted, burned ones included.
    function totalSupply(uint256 tokenId) external view returns (uint256) {
        return _copies[tokenId];
    }

    function exists(uint256 tokenId) public view returns (bool) {
        return _copies[tokenId] != 0;
    }

    function supportsInterface(bytes4 id) public view override(ERC1155Upgradeable, IERC165) returns (bool) {
        return id == type(IERC2981).interfaceId || super.supportsInterface(id);
    }

    /// @notice Destroys copies of a token. Their holder, and accounts that the holder approved, may do so.
    function burn(address holder, uint256 tokenId, uint256 amount) external {
        if (msg.sender != holder && !isApprovedForAll(holder, msg.sender)) {
            revert ERC1155MissingApprovalForAll(msg.sender, holder);
        }
        _burn(holder, tokenId, amount);
    }

    /// @notice Which of the mints are done, all at one moment.
    function areMinted(bytes32[] calldata mintIds) external view returns (bool[] memory isDone) {
        isDone = new bool[](mintIds.length);
        for (uint256 i = 0; i < mintIds.length; ++i) isDone[i] = _isMinted[mintIds[i]];
    }

    /// @dev Not `_mint`, which asks a receiving contract: one that reverts must not stop the others of its batch.
    function _mintOne(Mint calldata one) internal override {
        if (_isMinted[one.mintId]) revert AlreadyMinted(one.mintId);
        if (one.to == address(0)) revert ERC1155InvalidReceiver(address(0));
        _isMinted[one.mintId] = true;
        // What the others hold stays what it is.
        if (_copies[one.tokenId]++ == 0) {
            _uris[one.tokenId] = one.uri;
            emit URI(one.uri, one.tokenId);
        }
        uint256[] memory ids = new uint256[](1);
        uint256[] memory values = new uint256[](1);
        (ids[0], values[0]) = (one.tokenId, 1);
        _update(address(0), one.to, ids, values);
        emit Minted(one.mintId, one.to, one.tokenId);
    }

    function _updateOne(uint256 tokenId, uint64) internal override {
        if (!exists(tokenId)) revert NoSuchToken(tokenId);
        emit URI(_uris[tokenId], tokenId);
    }

    function _update(address from, address to, uint256[] memory ids, uint256[] memory values) internal override {
        bool isTransfer = from != address(0) && to != address(0) && ids.length != 0;
        if (isTransfer && !transferable()) revert NotTransferable(ids[0]);
        super._update(from, to, ids, values);
    }
}
